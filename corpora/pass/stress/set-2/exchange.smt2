; The order does not matter, though the first characters differ
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (= (str.++ s t) (str.++ t s)))
(assert (str.prefixof "a" s))
(assert (str.prefixof "b" t))
(check-sat)
