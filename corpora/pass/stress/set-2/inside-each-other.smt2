; Two different strings, each in the other
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (str.contains s t))
(assert (str.contains t s))
(assert (not (= s t)))
(check-sat)
