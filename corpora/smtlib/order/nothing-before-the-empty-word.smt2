; The empty word is the least.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.< x ""))
(check-sat)
