; Words of the fourth power of one character have length 4.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x ((_ re.^ 4) (re.range "a" "f"))))
(assert (not (= (str.len x) 4)))
(check-sat)
