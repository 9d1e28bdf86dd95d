; x = "" and y = "ab" both have code -1.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (= (str.to_code x) (str.to_code y)))
(assert (not (= x y)))
(check-sat)
