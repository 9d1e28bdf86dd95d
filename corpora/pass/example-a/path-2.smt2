; Example (a), path 2: another end
(set-logic QF_SLIA)
(declare-const s1 String)
(declare-const s2 String)
(assert (str.prefixof "a1" s1))
(assert (str.contains s2 "12"))
(assert (not (str.suffixof "cd" (str.++ s1 s2))))
(check-sat)
