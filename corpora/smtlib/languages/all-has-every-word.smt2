; The language of all words leaves none out.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (not (str.in_re x re.all)))
(check-sat)
