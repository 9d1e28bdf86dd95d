; The shorter of two lengths is at most each of them, and so at most half of the sum.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(declare-const n Int)
(assert (= n (ite (< (str.len x) (str.len y)) (str.len x) (str.len y))))
(assert (> (* 2 n) (str.len (str.++ x y))))
(check-sat)
