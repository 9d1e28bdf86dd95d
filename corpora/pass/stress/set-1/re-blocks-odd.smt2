; Seven characters in blocks of two
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.in_re s (re.* (re.union (str.to_re "ab") (str.to_re "cd")))))
(assert (= (str.len s) 7))
(check-sat)
