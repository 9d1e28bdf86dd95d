; A number below 0 has the empty text.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const n Int)
(assert (< n 0))
(assert (not (= (str.from_int n) "")))
(check-sat)
