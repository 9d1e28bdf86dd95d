; "Z" has code 90 and "a" 97, so a word that begins with "Z" is before one that begins with "a".
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (str.prefixof "Z" x))
(assert (str.prefixof "a" y))
(assert (str.<= y x))
(check-sat)
