; CompareTo says how much is missing
(set-logic QF_SLIA)
(declare-const s String)
(declare-const k Int)
(assert (= k (java.compareTo s "login")))
(assert (= k (- 3)))
(assert (= (str.len s) 2))
(check-sat)
