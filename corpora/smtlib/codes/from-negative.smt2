; No character has a code below 0, so the result is the empty word.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const i Int)
(assert (< i 0))
(assert (not (= (str.from_code i) "")))
(check-sat)
