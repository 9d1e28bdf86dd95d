; Forty-two with zeros in front
(set-logic QF_SLIA)
(declare-const s String)
(declare-const n Int)
(assert (= n (str.to_int s)))
(assert (= n 42))
(assert (str.prefixof "0" s))
(assert (= (str.len s) 6))
(check-sat)
