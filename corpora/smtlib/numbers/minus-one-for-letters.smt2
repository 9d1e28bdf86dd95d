; x = "4a" is no number.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.to_int x) (- 1)))
(assert (= (str.at x 0) "4"))
(check-sat)
