; The left side ends in "a" and the right one in "b", whatever the unknown words are.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x y "a") (str.++ y x "b")))
(check-sat)
