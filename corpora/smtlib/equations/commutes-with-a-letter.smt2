; x = "aaa" commutes with "a".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.++ x "a") (str.++ "a" x)))
(assert (= (str.len x) 3))
(check-sat)
