; Two quotes inside a literal are one quote, so x = "a""b" has length 3.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= x "a""b"))
(assert (= (str.len x) 3))
(assert (= (str.at x 1) """"))
(check-sat)
