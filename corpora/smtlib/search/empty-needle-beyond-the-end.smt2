; No search begins beyond the end: the result is -1 and not 4.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (= (str.len x) 3))
(assert (= (str.indexof x "" 4) 4))
(check-sat)
