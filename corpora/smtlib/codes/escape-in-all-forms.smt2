; All four forms write the letter "A" (code 65).
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= x "\u0041" "\u{41}" "\u{041}" "\u{00041}"))
(assert (= x "A"))
(check-sat)
