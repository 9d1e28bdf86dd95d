; "a" is before "a0", but "az" is after "a0z".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (str.< x y))
(assert (str.< (str.++ y "z") (str.++ x "z")))
(check-sat)
