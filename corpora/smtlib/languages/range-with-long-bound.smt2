; A range with a bound that is not one character is empty.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x (re.range "aa" "c")))
(check-sat)
