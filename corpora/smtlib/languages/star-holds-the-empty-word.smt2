; The star of any language holds the empty word, that of the empty language too.
(set-logic QF_SLIA)
(set-info :status unsat)
(assert (not (str.in_re "" (re.* re.none))))
(check-sat)
