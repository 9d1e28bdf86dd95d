; "0255" has four digits and is read as 255.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const octet String)
(assert (<= 0 (str.to_int octet) 255))
(assert (= (str.len octet) 4))
(assert (str.suffixof "255" octet))
(check-sat)
