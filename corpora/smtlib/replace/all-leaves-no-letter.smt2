; When every "a" becomes "b", no "a" is left.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.contains (str.replace_all x "a" "b") "a"))
(check-sat)
