; Trim that makes a string longer
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (= t (java.trim s)))
(assert (> (str.len t) (str.len s)))
(check-sat)
