; Between "a" and "a" followed by the character of code 0 there is no word.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.< "a" x))
(assert (str.< x "a\u{0}"))
(check-sat)
