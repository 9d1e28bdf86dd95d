; A beginning and an end that do not overlap so
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.prefixof "abcab" s))
(assert (str.suffixof "cabab" s))
(assert (= (str.len s) 6))
(check-sat)
