; A blank is left by replacing blanks
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (= t (java.replaceChar s 32 95)))
(assert (str.contains t " "))
(assert (>= (str.len s) 2))
(check-sat)
