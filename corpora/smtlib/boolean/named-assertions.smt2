; The first and the third line contradict each other; the second one is not needed.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (! (= (str.len x) 3) :named three))
(assert (! (str.contains x "a") :named has-a))
(assert (! (str.in_re x (re.* (str.to_re "ab"))) :named pairs))
(check-sat)
