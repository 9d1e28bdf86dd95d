; One "ab" of two characters becomes one character: the length falls by 1, not 2.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.contains x "ab"))
(assert (= (str.len (str.replace x "ab" "c")) (- (str.len x) 2)))
(check-sat)
