; A character for a character keeps the length.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (not (= (str.len (str.replace_all x "/" "\u{5c}")) (str.len x))))
(check-sat)
