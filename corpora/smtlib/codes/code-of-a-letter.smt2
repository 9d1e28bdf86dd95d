; "A" has code 65.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.to_code x) 65))
(assert (not (= x "a")))
(check-sat)
