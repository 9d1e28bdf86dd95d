; x = "b" becomes "b" and then "a".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (not (= (str.replace_all (str.replace_all x "a" "b") "b" "a") x)))
(assert (= (str.len x) 1))
(check-sat)
