; The character of code 0 has length 1 and is not the empty word.
(set-logic QF_SLIA)
(set-info :status unsat)
(assert (= (str.from_code 0) ""))
(check-sat)
