; The first i characters and the rest are the word, for 0 <= i <= |x|.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const i Int)
(assert (<= 0 i (str.len x)))
(assert (not (= (str.++ (str.substr x 0 i) (str.substr x i (- (str.len x) i))) x)))
(check-sat)
