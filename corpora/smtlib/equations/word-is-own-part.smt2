; x would contain itself with two characters around, and be longer than itself.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(declare-const z String)
(assert (= x (str.++ y "(" x ")" z)))
(check-sat)
