; The only negative result is -1.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (< (str.to_int x) (- 1)))
(check-sat)
