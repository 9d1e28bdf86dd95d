; "a1B" has a digit, a small and a capital letter.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (str.in_re x (re.inter (re.++ re.all (re.range "0" "9") re.all) (re.++ re.all (re.range "a" "z") re.all) (re.++ re.all (re.range "A" "Z") re.all))))
(assert (= (str.len x) 3))
(check-sat)
