; x = "q" has length 1 and is its own character at 0.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.len x) 1))
(assert (= (str.at x 0) x))
(assert (not (= x "a")))
(check-sat)
