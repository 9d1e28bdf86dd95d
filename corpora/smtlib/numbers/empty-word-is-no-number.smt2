; The empty word is read as -1.
(set-logic QF_SLIA)
(set-info :status unsat)
(assert (not (= (str.to_int "") (- 1))))
(check-sat)
