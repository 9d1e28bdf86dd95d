; No length is below 0.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (< (str.len x) 0))
(check-sat)
