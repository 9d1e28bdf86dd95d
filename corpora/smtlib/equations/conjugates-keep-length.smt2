; x y and y x have equal lengths, so one is not a proper part of the other.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(declare-const z String)
(assert (= (str.++ x y) (str.++ z y x)))
(assert (not (= z "")))
(check-sat)
