; A beginning and an end that overlap
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.prefixof "abcab" s))
(assert (str.suffixof "cabab" s))
(assert (= (str.len s) 7))
(check-sat)
