; A word with a sign is not made of digits alone, so it is read as -1.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.prefixof "-" x))
(assert (>= (str.to_int x) 0))
(check-sat)
