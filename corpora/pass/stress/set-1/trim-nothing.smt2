; Trim takes something off where there is nothing to take off
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (= t (java.trim s)))
(assert (str.prefixof "x" s))
(assert (str.suffixof "y" s))
(assert (not (= s t)))
(check-sat)
