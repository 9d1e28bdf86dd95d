; Words that trim makes shorter
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (str.in_re s (re.++ (re.* (re.++ (re.+ (re.range "a" "z")) (str.to_re " "))) (re.+ (re.range "a" "z")))))
(assert (= t (java.trim s)))
(assert (not (= s t)))
(check-sat)
