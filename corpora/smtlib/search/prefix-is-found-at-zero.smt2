; A prefix is at 0, which is the least place.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (str.prefixof y x))
(assert (not (= (str.indexof x y 0) 0)))
(check-sat)
