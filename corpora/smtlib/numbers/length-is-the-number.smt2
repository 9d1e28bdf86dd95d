; x = "1" is its own length.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.to_int x) (str.len x)))
(assert (not (= x "")))
(check-sat)
