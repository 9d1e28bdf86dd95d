; Every quote is doubled, so a text of one quote becomes two; the result is never one quote alone.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const in String)
(declare-const out String)
(assert (= out (str.replace_all in "'" "''")))
(assert (= out "'"))
(check-sat)
