; The character at i is the slice of length 1 from i, for every i.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const i Int)
(assert (not (= (str.at x i) (str.substr x i 1))))
(check-sat)
