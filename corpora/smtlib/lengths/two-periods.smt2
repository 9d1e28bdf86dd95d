; x = "abababababab" fits: a word of (ab)* of length 12.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (str.in_re x (re.* (str.to_re "ab"))))
(assert (= (mod (str.len x) 3) 0))
(assert (> (str.len x) 6))
(assert (< (str.len x) 18))
(check-sat)
