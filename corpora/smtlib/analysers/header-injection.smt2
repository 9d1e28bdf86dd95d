; A value with a line break starts a header of its own.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const value String)
(declare-const header String)
(assert (= header (str.++ "Location: " value)))
(assert (str.contains header "\u{d}\u{a}Set-Cookie: "))
(assert (str.prefixof "/" value))
(check-sat)
