; "12" and "30" add to 42.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (= (+ (str.to_int x) (str.to_int y)) 42))
(assert (= (str.++ x y) "1230"))
(assert (= (str.len x) 2))
(check-sat)
