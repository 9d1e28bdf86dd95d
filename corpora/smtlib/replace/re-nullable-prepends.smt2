; The shortest match at 0 of a language with the empty word is empty, so the replacement is put in front.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (= x "aab"))
(assert (not (= (str.replace_re x (re.* (str.to_re "a")) "-") "-aab")))
(check-sat)
