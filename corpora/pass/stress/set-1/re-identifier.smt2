; An identifier that is a numeral
(set-logic QF_SLIA)
(declare-const s String)
(declare-const n Int)
(assert (str.in_re s (re.++ (re.union (re.range "a" "z") (re.range "A" "Z") (str.to_re "_")) (re.* (re.union (re.range "a" "z") (re.range "A" "Z") (str.to_re "_") (re.range "0" "9"))))))
(assert (= n (str.to_int s)))
(assert (>= n 0))
(check-sat)
