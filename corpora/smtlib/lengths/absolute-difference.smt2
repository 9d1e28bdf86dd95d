; x = "aaaa", y = "a": the lengths differ by 3.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (= (abs (- (str.len x) (str.len y))) 3))
(assert (str.prefixof y x))
(assert (not (= y "")))
(check-sat)
