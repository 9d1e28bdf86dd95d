; A character at an index below 0 is the empty word, whose length is 0.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const i Int)
(assert (< i 0))
(assert (= (str.len (str.at x i)) 1))
(check-sat)
