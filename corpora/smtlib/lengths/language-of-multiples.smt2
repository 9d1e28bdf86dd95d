; Words of (abc)* have lengths that are multiples of 3, and 10 is none.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x (re.* (str.to_re "abc"))))
(assert (= (str.len x) 10))
(check-sat)
