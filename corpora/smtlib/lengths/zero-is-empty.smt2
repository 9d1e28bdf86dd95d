; Only the empty word has length 0.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (= (str.len x) 0))
(assert (not (= x "")))
(check-sat)
