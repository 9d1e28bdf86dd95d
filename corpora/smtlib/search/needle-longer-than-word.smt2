; A longer word is not found.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (< (str.len x) (str.len y)))
(assert (>= (str.indexof x y 0) 0))
(check-sat)
