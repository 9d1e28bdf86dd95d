; x = "07" is read as 7, whose text is "7".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (not (= (str.from_int (str.to_int x)) x)))
(assert (> (str.to_int x) 0))
(check-sat)
