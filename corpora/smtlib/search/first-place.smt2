; In x = "xxab", "ab" is first at 2.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.indexof x "ab" 0) 2))
(assert (= (str.len x) 4))
(check-sat)
