; x[2..6)[1..3) is x[3..5) when x is that long.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (>= (str.len x) 6))
(assert (not (= (str.substr (str.substr x 2 4) 1 2) (str.substr x 3 2))))
(check-sat)
