; A word that contains y has a first place of y, which is not -1.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (str.contains x y))
(assert (= (str.indexof x y 0) (- 1)))
(check-sat)
