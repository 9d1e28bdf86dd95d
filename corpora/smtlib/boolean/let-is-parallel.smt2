; Inside the let x and y are exchanged: y is "a" and x is "b".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (= y "a"))
(assert (let ((x y) (y x)) (and (= x "a") (= y "b"))))
(check-sat)
