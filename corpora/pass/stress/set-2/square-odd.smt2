; Twice the same string is odd
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (= t (str.++ s s)))
(assert (= (str.len t) 7))
(check-sat)
