; x = "7" is a digit and a word of length 1.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (str.is_digit x))
(assert (= (str.to_code x) 55))
(check-sat)
