; A word that commutes with "ab" is a power of "ab", so it does not end in "a".
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (= (str.++ "ab" x) (str.++ x "ab")))
(assert (str.suffixof "a" x))
(check-sat)
