; The first and the last character are equal, so "a" is both prefix and suffix or neither.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (= (str.len x) 3))
(assert (= (str.at x 0) (str.at x 2)))
(assert (xor (str.prefixof "a" x) (str.suffixof "a" x)))
(check-sat)
