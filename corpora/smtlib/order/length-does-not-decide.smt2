; "z" is after "aaaa" and shorter.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (str.< x y))
(assert (> (str.len x) (+ (str.len y) 2)))
(check-sat)
