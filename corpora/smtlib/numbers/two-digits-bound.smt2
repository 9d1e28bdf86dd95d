; Two digits make at most 99.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (= (str.len x) 2))
(assert (> (str.to_int x) 99))
(check-sat)
