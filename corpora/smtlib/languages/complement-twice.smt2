; The complement of the complement is the language.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x (re.comp (re.comp (re.* (str.to_re "ab"))))))
(assert (not (str.in_re x (re.* (str.to_re "ab")))))
(check-sat)
