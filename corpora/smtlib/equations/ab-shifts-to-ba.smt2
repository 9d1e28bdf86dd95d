; x = "aba" gives "ababa" on both sides: the solutions are (ab)*a.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.++ "ab" x) (str.++ x "ba")))
(assert (> (str.len x) 1))
(check-sat)
