; Example (b), path 6: no minus sign in front
(set-logic QF_SLIA)
(declare-const s String)
(assert (not (= (java.charAt s 0) 45)))
(check-sat)
