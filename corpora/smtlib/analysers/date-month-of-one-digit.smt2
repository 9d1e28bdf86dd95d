; "2024-2-9" has one digit between the dashes, and the form asks for two.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const date String)
(declare-const rest String)
(assert (str.in_re date (re.++ ((_ re.^ 4) (re.range "0" "9")) (str.to_re "-") ((_ re.^ 2) (re.range "0" "9")) (str.to_re "-") ((_ re.^ 2) (re.range "0" "9")))))
(assert (= date (str.++ "2024-2-" rest)))
(check-sat)
