; x = "aaaaaaa": 7 div 2 = 3 and 7 mod 2 = 1.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (div (str.len x) 2) 3))
(assert (= (mod (str.len x) 2) 1))
(check-sat)
