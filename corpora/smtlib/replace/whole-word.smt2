; x = y = "ab": the whole word is replaced by "c".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(assert (= (str.replace x y "c") "c"))
(assert (= x y))
(assert (= (str.len x) 2))
(check-sat)
