; Words that contain each other have equal lengths, so each is the whole of the other.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (str.contains x y))
(assert (str.contains y x))
(assert (not (= x y)))
(check-sat)
