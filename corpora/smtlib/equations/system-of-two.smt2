; From x = y "a" and y = x "b" follows |x| = |x| + 2.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= x (str.++ y "a")))
(assert (= y (str.++ x "b")))
(check-sat)
