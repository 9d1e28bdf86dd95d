; Words that are each at most the other are equal.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (str.<= x y))
(assert (str.<= y x))
(assert (not (= x y)))
(check-sat)
