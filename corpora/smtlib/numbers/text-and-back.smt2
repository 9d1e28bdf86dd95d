; The text of a number from 0 on is read as the number.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const n Int)
(assert (>= n 0))
(assert (not (= (str.to_int (str.from_int n)) n)))
(check-sat)
