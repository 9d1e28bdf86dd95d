; Two characters that a square makes equal
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (= t (str.++ s s)))
(assert (= (str.len t) 6))
(assert (= (java.charAt t 2) 120))
(assert (= (java.charAt t 5) 121))
(check-sat)
