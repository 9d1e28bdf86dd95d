; The length of a concatenation is the sum of the lengths: 3 + 4 is not 8.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= (str.len x) 3))
(assert (= (str.len y) 4))
(assert (= (str.len (str.++ x y)) 8))
(check-sat)
