; Lengths of (aa)* are even; 7, 9 and 11 are the only lengths allowed.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x (re.* (str.to_re "aa"))))
(assert (or (= (str.len x) 7) (= (str.len x) 9) (= (str.len x) 11)))
(check-sat)
