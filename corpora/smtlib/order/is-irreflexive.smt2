; No word is before itself.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.< x x))
(check-sat)
