; A word that is not empty loses a character.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (not (= x "")))
(assert (= (str.substr x 0 (- (str.len x) 1)) x))
(check-sat)
