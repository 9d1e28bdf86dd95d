; n = 12 with "3" behind it is 123.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const n Int)
(assert (= (str.to_int (str.++ (str.from_int n) "3")) 123))
(assert (= n 12))
(check-sat)
