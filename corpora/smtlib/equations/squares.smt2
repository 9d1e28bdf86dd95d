; x = "aa" and y = "a": x x = "aaaa" = y y y y.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (= (str.++ x x) (str.++ y y y y)))
(assert (not (= y "")))
(assert (< (str.len x) 3))
(check-sat)
