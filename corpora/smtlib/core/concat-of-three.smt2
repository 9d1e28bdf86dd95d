; x = "a", y = "b", z = "c" concatenate to "abc" and differ pairwise.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(declare-const z String)
(assert (= (str.++ x y z) "abc"))
(assert (distinct x y z ""))
(check-sat)
