; The text of 0 is "0", which does begin with "0".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const n Int)
(assert (str.prefixof "0" (str.from_int n)))
(assert (>= n 0))
(check-sat)
