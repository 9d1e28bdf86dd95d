; x = "Q" and y = "q": the codes differ by 32.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (str.in_re x (re.range "A" "Z")))
(assert (= y (str.from_code (+ (str.to_code x) 32))))
(assert (= y "q"))
(check-sat)
