; Only words of one character are digits.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.is_digit x))
(assert (= (str.len x) 2))
(check-sat)
