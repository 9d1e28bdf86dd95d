; Four letters in strictly rising order need four different letters, and there are three.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x ((_ re.^ 4) (re.range "a" "c"))))
(assert (str.< (str.at x 0) (str.at x 1) (str.at x 2) (str.at x 3)))
(check-sat)
