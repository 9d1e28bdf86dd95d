; The word of x twice has length 2|x|, which is never 7.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= y (str.++ x x)))
(assert (= (str.len y) 7))
(check-sat)
