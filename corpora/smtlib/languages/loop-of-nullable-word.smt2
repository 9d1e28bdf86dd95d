; The empty word serves for what is missing: one "a" is three times "a" or nothing.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (str.in_re x ((_ re.loop 3 5) (re.opt (str.to_re "a")))))
(assert (= x "a"))
(check-sat)
