; A length is not negative, so it is its own absolute value.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (not (= (abs (str.len x)) (str.len x))))
(check-sat)
