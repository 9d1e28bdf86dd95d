; At index |x| nothing is left.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (not (= (str.substr x (str.len x) 1) "")))
(check-sat)
