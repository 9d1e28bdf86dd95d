; Two and three characters whose order does not matter
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (= (str.++ s t) (str.++ t s)))
(assert (= (str.len s) 2))
(assert (= (str.len t) 3))
(assert (not (= (java.charAt s 0) (java.charAt s 1))))
(check-sat)
