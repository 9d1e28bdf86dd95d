; Codes of upper case are at most 90, so 32 more are at most 122, the code of "z".
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (str.in_re x (re.range "A" "Z")))
(assert (= y (str.from_code (+ (str.to_code x) 32))))
(assert (not (str.in_re y (re.range "a" "z"))))
(check-sat)
