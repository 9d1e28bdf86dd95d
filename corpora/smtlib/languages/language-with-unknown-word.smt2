; y = "ab", x = "ababab".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (str.in_re x (re.+ (str.to_re y))))
(assert (= y "ab"))
(assert (= (str.len x) 6))
(check-sat)
