; Neither case is the empty word.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= x (ite (str.prefixof "a" y) (str.++ y "!") "?")))
(assert (= x ""))
(check-sat)
