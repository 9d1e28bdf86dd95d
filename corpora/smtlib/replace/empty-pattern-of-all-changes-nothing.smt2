; Replacing all occurrences of the empty word leaves the word, other than replacing the first one.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (not (= (str.replace_all x "" y) x)))
(check-sat)
