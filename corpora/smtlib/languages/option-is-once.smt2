; At most one sign stands in front, so "--1" is no word of the language.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x (re.++ (re.opt (str.to_re "-")) (re.+ (re.range "0" "9")))))
(assert (str.prefixof "--" x))
(check-sat)
