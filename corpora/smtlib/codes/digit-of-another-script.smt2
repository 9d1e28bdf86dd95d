; Only the ten characters from "0" to "9" are digits; the Arabic-Indic digit one (code 1633) is none.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (= x (str.from_code 1633)))
(assert (str.is_digit x))
(check-sat)
