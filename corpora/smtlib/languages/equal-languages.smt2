; (a|b)* and (a*b*)* are one language.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (xor (str.in_re x (re.* (re.union (str.to_re "a") (str.to_re "b")))) (str.in_re x (re.* (re.++ (re.* (str.to_re "a")) (re.* (str.to_re "b")))))))
(check-sat)
