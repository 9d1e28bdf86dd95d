; The only prefix of the empty word is the empty word, whose length is 0.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.prefixof x ""))
(assert (> (str.len x) 0))
(check-sat)
