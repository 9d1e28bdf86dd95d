; Words with a common beginning compare as their rests.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (str.< x y))
(assert (str.< (str.++ "log-" y) (str.++ "log-" x)))
(check-sat)
