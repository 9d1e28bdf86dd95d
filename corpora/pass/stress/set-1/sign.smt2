; Minus seven in four characters
(set-logic QF_SLIA)
(declare-const s String)
(declare-const n Int)
(assert (= n (java.parseInt s)))
(assert (= n (- 7)))
(assert (= (str.len s) 4))
(check-sat)
