; Replacing a word by itself changes nothing, wherever it is.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (not (= (str.replace x y y) x)))
(check-sat)
