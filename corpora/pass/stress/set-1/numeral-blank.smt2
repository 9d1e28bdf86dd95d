; A numeral with a blank in it
(set-logic QF_SLIA)
(declare-const s String)
(declare-const n Int)
(assert (= n (str.to_int s)))
(assert (>= n 0))
(assert (str.contains s " "))
(check-sat)
