; Both cases are the same, with a letter in it
(set-logic QF_SLIA)
(declare-const s String)
(assert (= (java.toLowerCase s) (java.toUpperCase s)))
(assert (str.contains s "k"))
(check-sat)
