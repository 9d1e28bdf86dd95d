; A proper prefix is before the word.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (str.prefixof x y))
(assert (not (= x y)))
(assert (not (str.< x y)))
(check-sat)
