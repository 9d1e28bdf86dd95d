; From a to b over a and b, without ab
(set-logic QF_SLIA)
(declare-const s String)
(assert (not (str.in_re s (re.++ re.all (str.to_re "ab") re.all))))
(assert (str.in_re s (re.* (re.union (str.to_re "a") (str.to_re "b")))))
(assert (str.prefixof "a" s))
(assert (str.suffixof "b" s))
(check-sat)
