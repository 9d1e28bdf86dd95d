; "10" is before "9" as a word and above it as a number.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (str.< x y))
(assert (> (str.to_int x) (str.to_int y)))
(assert (> (str.to_int y) 8))
(check-sat)
