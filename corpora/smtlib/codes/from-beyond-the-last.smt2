; The last code is 196607 (2FFFF in hexadecimal); what is greater gives the empty word.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const i Int)
(assert (= i 196608))
(assert (= (str.len (str.from_code i)) 1))
(check-sat)
