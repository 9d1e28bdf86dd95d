; Three times the same string
(set-logic QF_SLIA)
(declare-const s String)
(declare-const u String)
(assert (= (str.++ s s s) (str.++ "xyz" u)))
(assert (= (str.len u) 6))
(assert (str.contains u "yx"))
(check-sat)
