; x = "ab" and y = "b": y is at 1.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (not (str.prefixof y x)))
(assert (str.suffixof y x))
(assert (= (str.indexof x y 0) 1))
(check-sat)
