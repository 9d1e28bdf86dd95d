; Every word of (aaaa)* is one of (aa)*.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x (re.diff (re.* (str.to_re "aaaa")) (re.* (str.to_re "aa")))))
(check-sat)
