; The empty language has no word.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x re.none))
(check-sat)
