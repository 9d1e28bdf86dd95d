; "yes" has three characters, "no" two and "maybe" five; none has four.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (or (= x "yes") (= x "no") (= x "maybe")))
(assert (= (str.len x) 4))
(check-sat)
