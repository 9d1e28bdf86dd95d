; In "aaa" only the first two characters are an occurrence: "b" and the last "a" stay.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= x "aaa"))
(assert (= (str.replace_all x "aa" "b") "ba"))
(check-sat)
