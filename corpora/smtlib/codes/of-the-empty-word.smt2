; The empty word has code -1.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (= x ""))
(assert (not (= (str.to_code x) (- 1))))
(check-sat)
