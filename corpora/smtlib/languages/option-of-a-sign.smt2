; "-12" has the sign and "12" does not.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (str.in_re x (re.++ (re.opt (str.to_re "-")) (re.+ (re.range "0" "9")))))
(assert (str.in_re y (re.++ (re.opt (str.to_re "-")) (re.+ (re.range "0" "9")))))
(assert (= x (str.++ "-" y)))
(check-sat)
