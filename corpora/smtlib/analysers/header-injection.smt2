; value = "/\u{d}\u{a}Set-Cookie: " has a line break, after which a header of its own starts.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const value String)
(declare-const header String)
(assert (= header (str.++ "Location: " value)))
(assert (str.contains header "\u{d}\u{a}Set-Cookie: "))
(assert (str.prefixof "/" value))
(check-sat)
