; y = "a" and x = "b": the let exchanges both at once, so inside it x is "a" and y is "b".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (= y "a"))
(assert (let ((x y) (y x)) (and (= x "a") (= y "b"))))
(check-sat)
