; x = "ab" is not the word "a".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (str.in_re x (re.comp (str.to_re "a"))))
(assert (str.prefixof "a" x))
(check-sat)
