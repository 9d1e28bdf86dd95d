; Characters of one code are one character.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= (str.len x) 1))
(assert (= (str.to_code x) (str.to_code y)))
(assert (not (= x y)))
(check-sat)
