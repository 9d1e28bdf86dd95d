; A word has the prefix "a" exactly when its character at 0 is "a".
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (not (= (str.prefixof "a" x) (= (str.at x 0) "a"))))
(check-sat)
