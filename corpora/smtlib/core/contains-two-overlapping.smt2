; x = "abcd" contains both words, which share "bc".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (str.contains x "abc"))
(assert (str.contains x "bcd"))
(assert (= (str.len x) 4))
(check-sat)
