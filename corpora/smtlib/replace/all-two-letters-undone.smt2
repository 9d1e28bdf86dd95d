; x has no "b", so turning "a" into "b" and "b" into "a" gives x again.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (not (str.contains x "b")))
(assert (not (= (str.replace_all (str.replace_all x "a" "b") "b" "a") x)))
(check-sat)
