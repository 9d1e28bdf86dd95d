; Every word contains the empty word.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (not (str.contains x "")))
(check-sat)
