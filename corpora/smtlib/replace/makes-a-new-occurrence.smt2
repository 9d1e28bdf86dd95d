; x = "aabb": the "ab" inside goes, and what is left is "ab" again.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.replace x "ab" "") "ab"))
(assert (= (str.len x) 4))
(assert (= (str.at x 0) "a"))
(assert (= (str.at x 1) "a"))
(check-sat)
