; The left side has 8 characters, which is no multiple of 3, as the right side's length is.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x x) (str.++ y y y)))
(assert (= (str.len x) 4))
(check-sat)
