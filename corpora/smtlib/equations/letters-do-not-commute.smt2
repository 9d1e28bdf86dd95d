; A word that commutes with "a" is a power of "a" and contains no "b".
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (= (str.++ x "a") (str.++ "a" x)))
(assert (str.contains x "b"))
(check-sat)
