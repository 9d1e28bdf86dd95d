; A character at an index is a word of length 0 or 1, and "ab" has length 2.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const i Int)
(assert (= (str.at x i) "ab"))
(check-sat)
