; A hardware address of another length
(set-logic QF_SLIA)
(declare-const s String)
(declare-const i Int)
(assert (str.in_re s (re.++ ((_ re.^ 5) (re.++ ((_ re.^ 2) (re.union (re.range "0" "9") (re.range "A" "F"))) (str.to_re ":"))) ((_ re.^ 2) (re.union (re.range "0" "9") (re.range "A" "F"))))))
(assert (= i (java.indexOf s ":" 3)))
(assert (= i 5))
(assert (not (= (str.len s) 17)))
(check-sat)
