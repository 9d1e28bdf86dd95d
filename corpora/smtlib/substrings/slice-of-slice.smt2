; With x = "abcdef", from 1 four characters are "bcde", and from 1 two of these "cd".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.substr (str.substr x 1 4) 1 2) "cd"))
(assert (= (str.len x) 6))
(check-sat)
