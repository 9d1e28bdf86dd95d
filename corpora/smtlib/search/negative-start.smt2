; A search from an index below 0 finds nothing, not even the empty word.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (not (= (str.indexof x y (- 1)) (- 1))))
(check-sat)
