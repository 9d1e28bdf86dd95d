; A loop whose lower bound is above its upper one is the empty language.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x ((_ re.loop 3 2) (str.to_re "a"))))
(check-sat)
