; x = "yes" makes the first case true and the second one false.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (or (= x "yes") (= x "no")))
(assert (str.contains x "e"))
(check-sat)
