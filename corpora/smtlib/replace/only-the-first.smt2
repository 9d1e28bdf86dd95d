; In x = "aa" only the first "a" becomes "b".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.replace x "a" "b") "ba"))
(assert (= x "aa"))
(check-sat)
