; One or more words of the empty language: there is no first one.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x (re.+ re.none)))
(check-sat)
