; From 3 of "abcde" only two characters are left, however many are asked for.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const n Int)
(assert (= x "abcde"))
(assert (> n 100))
(assert (= (str.substr x 3 n) "de"))
(check-sat)
