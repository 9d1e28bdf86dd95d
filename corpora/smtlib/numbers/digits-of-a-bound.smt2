; Numbers from 1000 on have at least four digits.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const n Int)
(assert (>= n 1000))
(assert (< (str.len (str.from_int n)) 4))
(check-sat)
