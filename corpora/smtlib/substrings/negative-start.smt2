; A slice from an index below 0 is the empty word, also when its end would lie inside.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (= (str.substr x (- 1) 3) "ab"))
(check-sat)
