; The left side begins with "a" and the right one with "b".
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ "a" x) (str.++ "b" y)))
(check-sat)
