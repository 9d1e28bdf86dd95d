; x has one ";", at 2; a search from 3 finds none.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= x (str.++ "ab;" y)))
(assert (not (str.contains y ";")))
(assert (>= (str.indexof x ";" 3) 0))
(check-sat)
