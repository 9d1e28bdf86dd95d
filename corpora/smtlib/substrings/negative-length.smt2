; A slice of a length below 1 is the empty word.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const n Int)
(assert (< n 0))
(assert (not (= (str.substr x 0 n) "")))
(check-sat)
