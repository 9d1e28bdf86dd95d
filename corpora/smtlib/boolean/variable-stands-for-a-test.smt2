; b is true exactly when x contains "@", which "a@b" does.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const b Bool)
(assert (= b (str.contains x "@")))
(assert (= x "a@b"))
(assert (not b))
(check-sat)
