; A word across blocks
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.in_re s (re.* (re.union (str.to_re "ab") (str.to_re "cd")))))
(assert (= (str.len s) 8))
(assert (= (str.indexof s "bcda" 0) 3))
(check-sat)
