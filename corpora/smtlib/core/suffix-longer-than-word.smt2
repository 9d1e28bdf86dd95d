; A suffix is never longer than the word that it ends.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (str.suffixof x y))
(assert (< (str.len y) (str.len x)))
(check-sat)
