; x = "ab" has the prefix and not the suffix.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (xor (str.prefixof "a" x) (str.suffixof "a" x)))
(assert (= (str.len x) 2))
(check-sat)
