; The text of a number above 0 does not begin with "0".
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const n Int)
(assert (> n 0))
(assert (str.prefixof "0" (str.from_int n)))
(check-sat)
