; "abba" is "ab" and "ba".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (str.in_re x (re.* (re.union (str.to_re "ab") (str.to_re "ba")))))
(assert (str.contains x "bb"))
(check-sat)
