; Between "aa" and "ab" stand only words that begin with "aa" and are longer.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.< "aa" x))
(assert (str.< x "ab"))
(assert (= (str.len x) 2))
(check-sat)
