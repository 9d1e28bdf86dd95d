; A telephone number whose area is 1000
(set-logic QF_SLIA)
(declare-const s String)
(declare-const b Int)
(assert (str.in_re s (re.++ (str.to_re "+") ((_ re.^ 2) (re.range "0" "9")) (str.to_re " ") ((_ re.^ 3) (re.range "0" "9")) (str.to_re "-") ((_ re.^ 4) (re.range "0" "9")))))
(assert (= b (str.to_int (str.substr s 4 3))))
(assert (>= b 1000))
(check-sat)
