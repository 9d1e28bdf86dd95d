; With i = -1 both slices are "" and "" for x = "a": the second one begins below 0.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const i Int)
(assert (= x "a"))
(assert (not (= (str.++ (str.substr x 0 i) (str.substr x i (- (str.len x) i))) x)))
(check-sat)
