; A word that is not one character has code -1.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (= (str.len x) 2))
(assert (>= (str.to_code x) 0))
(check-sat)
