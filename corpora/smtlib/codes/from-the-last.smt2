; 196607 is the last code, and a character has it.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= x (str.from_code 196607)))
(assert (= x "\u{2ffff}"))
(assert (= (str.len x) 1))
(check-sat)
