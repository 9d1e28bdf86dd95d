; "a-b" has some character, here "-", between "a" and "b".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (str.in_re x (re.++ (str.to_re "a") re.allchar (str.to_re "b"))))
(assert (not (str.in_re x (re.++ re.all (re.range "a" "z") re.allchar))))
(check-sat)
