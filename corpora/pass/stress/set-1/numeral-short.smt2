; Five digits in four characters
(set-logic QF_SLIA)
(declare-const s String)
(declare-const n Int)
(assert (= n (str.to_int s)))
(assert (= n 12345))
(assert (<= (str.len s) 4))
(check-sat)
