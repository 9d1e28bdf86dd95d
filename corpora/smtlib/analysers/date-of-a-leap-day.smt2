; "2024-02-29": the month is 2, the day 29, and 2024 is a multiple of 4.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const date String)
(assert (str.in_re date (re.++ ((_ re.^ 4) (re.range "0" "9")) (str.to_re "-") ((_ re.^ 2) (re.range "0" "9")) (str.to_re "-") ((_ re.^ 2) (re.range "0" "9")))))
(assert (= (mod (str.to_int (str.substr date 0 4)) 4) 0))
(assert (= (str.substr date 4 6) "-02-29"))
(assert (str.prefixof "2024" date))
(check-sat)
