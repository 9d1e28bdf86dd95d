; "042" is read as 42 in spite of the zero in front.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.to_int x) 42))
(assert (= (str.len x) 3))
(check-sat)
