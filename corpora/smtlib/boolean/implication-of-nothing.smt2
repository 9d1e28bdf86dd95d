; x = "b" makes the condition false, and the implication holds.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (=> (str.contains x "a") (str.contains x "z")))
(assert (= x "b"))
(check-sat)
