; A capital letter is left by toLowerCase
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (= t (java.toLowerCase s)))
(assert (str.contains t "Q"))
(assert (>= (str.len s) 3))
(check-sat)
