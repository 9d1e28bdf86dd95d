; Four and six characters whose order does not matter
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (= (str.++ s t) (str.++ t s)))
(assert (= (str.len s) 4))
(assert (= (str.len t) 6))
(assert (str.contains s "ab"))
(check-sat)
