; A number that ends in 77
(set-logic QF_SLIA)
(declare-const t String)
(declare-const n Int)
(assert (= t (str.from_int n)))
(assert (str.suffixof "77" t))
(assert (< 200 n 300))
(check-sat)
