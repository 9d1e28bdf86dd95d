; A word of re.allchar has length 1.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x re.allchar))
(assert (not (= (str.len x) 1)))
(check-sat)
