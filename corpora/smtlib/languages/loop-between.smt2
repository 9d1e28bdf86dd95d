; "ababab" is "ab" three times.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (str.in_re x ((_ re.loop 2 4) (str.to_re "ab"))))
(assert (= (str.len x) 6))
(check-sat)
