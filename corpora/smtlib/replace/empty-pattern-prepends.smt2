; The empty word occurs first at 0, so the replacement is put in front.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (not (= (str.replace x "" y) (str.++ y x))))
(check-sat)
