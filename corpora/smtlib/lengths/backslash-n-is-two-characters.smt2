; A backslash that begins no Unicode escape is a character like others: the word has length 2.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (= x "\n"))
(assert (= (str.len x) 1))
(check-sat)
