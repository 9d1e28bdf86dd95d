; Both sides are the characters of x, y and z in this order, so they never differ.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(declare-const z String)
(assert (not (= (str.++ (str.++ x y) z) (str.++ x (str.++ y z)))))
(check-sat)
