; x = "ab" makes "abcab".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.++ x "c" x) "abcab"))
(check-sat)
