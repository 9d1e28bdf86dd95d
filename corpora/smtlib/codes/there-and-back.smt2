; i = 8364 (the euro sign) comes back.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const i Int)
(assert (= (str.to_code (str.from_code i)) i))
(assert (> i 8000))
(assert (< i 8400))
(assert (= (mod i 1000) 364))
(check-sat)
