; A string with something behind it comes first
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(declare-const u String)
(assert (= u (str.++ s t)))
(assert (str.< u s))
(check-sat)
