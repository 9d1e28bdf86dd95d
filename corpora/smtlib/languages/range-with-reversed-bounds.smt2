; A range whose first bound is above its second one is empty.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x (re.range "z" "a")))
(check-sat)
