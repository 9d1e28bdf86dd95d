; Printable characters have codes from 32 on; the line break has 10.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const value String)
(declare-const header String)
(assert (str.in_re value (re.* (re.range " " "~"))))
(assert (= header (str.++ "Location: " value)))
(assert (str.contains header "\u{a}"))
(check-sat)
