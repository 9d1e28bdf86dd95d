; "a" has odd length, so it is in a* and not in (aa)*.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (str.in_re x (re.diff (re.* (str.to_re "a")) (re.* (str.to_re "aa")))))
(assert (< (str.len x) 3))
(check-sat)
