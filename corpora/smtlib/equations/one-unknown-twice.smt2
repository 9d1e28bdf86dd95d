; The length 2|x| + 1 is odd, and "abab" has length 4.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (= (str.++ x "a" x) "abab"))
(check-sat)
