; A word of the language has at most 255: its three cases are up to 199, 249 and 255.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const octet String)
(assert (str.in_re octet (re.union (re.++ (str.to_re "1") (re.range "0" "9") (re.range "0" "9")) (re.++ (str.to_re "2") (re.range "0" "4") (re.range "0" "9")) (re.++ (str.to_re "25") (re.range "0" "5")))))
(assert (> (str.to_int octet) 255))
(check-sat)
