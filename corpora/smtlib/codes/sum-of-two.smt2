; x = "0" and y = "z" have the codes 48 and 122, in sum 170.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (= (+ (str.to_code x) (str.to_code y)) 170))
(assert (str.is_digit x))
(assert (str.in_re y (re.range "t" "z")))
(check-sat)
