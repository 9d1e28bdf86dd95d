; x = "abcab" begins and ends with "ab" and has "c" between.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (str.prefixof "ab" x))
(assert (str.suffixof "ab" x))
(assert (= (str.len x) 5))
(assert (= (str.at x 2) "c"))
(check-sat)
