; With x = "ab", the index 2 is beyond the last character, so the character there is the empty word.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.len x) 2))
(assert (= (str.at x 2) ""))
(assert (= (str.at x 7) ""))
(check-sat)
