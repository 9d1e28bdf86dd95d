; Example (b), path 2: another format, without a comma
(set-logic QF_SLIA)
(declare-const s String)
(declare-const i Int)
(assert (= (java.charAt s 0) 45))
(assert (not (str.in_re s (re.++ re.allchar (re.+ (re.range "0" "9")) (str.to_re ",") ((_ re.^ 3) (re.range "0" "9"))))))
(assert (= i (java.lastIndexOf s ",")))
(assert (= i (- 1)))
(check-sat)
