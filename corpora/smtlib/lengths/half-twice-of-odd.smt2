; Seven characters have the half 3, and twice 3 is not 7.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (= (str.len x) 7))
(assert (= (* 2 (div (str.len x) 2)) (str.len x)))
(check-sat)
