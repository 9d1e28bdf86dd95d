; Without a match the word stays as it is.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x (re.* (re.range "a" "z"))))
(assert (not (= (str.replace_re x (re.range "0" "9") "#") x)))
(check-sat)
