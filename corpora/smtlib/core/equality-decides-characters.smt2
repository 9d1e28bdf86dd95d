; Equal words have equal characters at each index.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(declare-const i Int)
(assert (= x y))
(assert (not (= (str.at x i) (str.at y i))))
(check-sat)
