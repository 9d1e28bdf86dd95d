; x = "" has the slice of length -1, which is "".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.substr x 0 (- (str.len x) 1)) x))
(check-sat)
