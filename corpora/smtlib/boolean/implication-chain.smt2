; A word with the prefix "ab" has "a" in front, so it is not empty, against the last line.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (=> (str.prefixof "ab" x) (str.prefixof "a" x) (= x "")))
(assert (str.prefixof "ab" x))
(check-sat)
