; Example (a), path 3: the second string in lower case is above the first
(set-logic QF_SLIA)
(declare-const s1 String)
(declare-const s2 String)
(assert (str.prefixof "a1" s1))
(assert (not (str.contains s2 "12")))
(assert (str.< s1 (java.toLowerCase s2)))
(check-sat)
