; A frame whose ends are said of the whole
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (= s (str.++ t "m" t)))
(assert (= (str.len t) 4))
(assert (str.prefixof "abc" s))
(assert (str.suffixof "bca" s))
(check-sat)
