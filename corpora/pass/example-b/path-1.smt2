; Example (b), path 1: the format
(set-logic QF_SLIA)
(declare-const s String)
(assert (= (java.charAt s 0) 45))
(assert (str.in_re s (re.++ re.allchar (re.+ (re.range "0" "9")) (str.to_re ",") ((_ re.^ 3) (re.range "0" "9")))))
(check-sat)
