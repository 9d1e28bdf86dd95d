; The empty language adds nothing to the word "a" and takes nothing away.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (str.in_re x (re.union re.none (str.to_re "a"))))
(assert (= (str.len x) 1))
(check-sat)
