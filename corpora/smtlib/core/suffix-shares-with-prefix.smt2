; x = "aba": the prefix "ab" and the suffix "ba" overlap in "b".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (str.prefixof "ab" x))
(assert (str.suffixof "ba" x))
(assert (= (str.len x) 3))
(check-sat)
