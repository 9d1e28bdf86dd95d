; x = "abc" rotates to y = "bca".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (= y (str.++ (str.substr x 1 (- (str.len x) 1)) (str.at x 0))))
(assert (= y "bca"))
(check-sat)
