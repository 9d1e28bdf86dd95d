; i = -5 gives the empty word, whose code is -1.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const i Int)
(assert (not (= (str.to_code (str.from_code i)) i)))
(assert (< i (- 1)))
(assert (> i (- 10)))
(check-sat)
