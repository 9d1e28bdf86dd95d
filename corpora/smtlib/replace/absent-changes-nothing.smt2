; Without an occurrence the word stays as it is.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(declare-const z String)
(assert (not (str.contains x y)))
(assert (not (= (str.replace x y z) x)))
(check-sat)
