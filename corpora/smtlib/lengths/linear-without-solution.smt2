; 2|x| + 4|y| is even and 11 is odd.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= (+ (* 2 (str.len x)) (* 4 (str.len y))) 11))
(check-sat)
