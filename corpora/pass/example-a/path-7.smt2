; Example (a), path 7: another beginning
(set-logic QF_SLIA)
(declare-const s1 String)
(assert (not (str.prefixof "a1" s1)))
(check-sat)
