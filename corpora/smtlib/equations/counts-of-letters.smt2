; The left side has one more "a" than the right one, since x and y occur on both sides as often.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x "a" y "b") (str.++ y "b" x "b")))
(check-sat)
