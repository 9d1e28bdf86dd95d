; x = "dog" is in the union and not in the part that is excluded.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (str.in_re x (re.union (str.to_re "cat") (str.to_re "dog"))))
(assert (not (= x "cat")))
(check-sat)
