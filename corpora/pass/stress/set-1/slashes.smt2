; A date with one slash left
(set-logic QF_SLIA)
(declare-const s String)
(assert (= (java.replaceChar s 47 45) "2024-05-06"))
(assert (str.contains s "/"))
(assert (= (str.indexof s "/" 0) 7))
(check-sat)
