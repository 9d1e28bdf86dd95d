; x = "a", y = "bb": |y| = 2|x| and |x| + |y| = 3.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (= (str.len y) (* 2 (str.len x))))
(assert (= (+ (str.len x) (str.len y)) 3))
(check-sat)
