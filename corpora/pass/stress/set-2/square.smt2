; Twice the same string
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (= t (str.++ s s)))
(assert (= (str.len t) 4))
(assert (str.contains t "ba"))
(assert (not (= (java.charAt s 0) (java.charAt s 1))))
(check-sat)
