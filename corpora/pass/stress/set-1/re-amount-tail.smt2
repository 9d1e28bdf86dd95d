; An amount with other than three digits behind the last comma
(set-logic QF_SLIA)
(declare-const s String)
(declare-const i Int)
(assert (str.in_re s (re.++ (re.opt (str.to_re "-")) ((_ re.loop 1 3) (re.range "0" "9")) (re.* (re.++ (str.to_re ",") ((_ re.^ 3) (re.range "0" "9")))))))
(assert (= i (java.lastIndexOf s ",")))
(assert (>= i 0))
(assert (not (= (- (str.len s) i) 4)))
(check-sat)
