; x = "aaa": "aa" is at 0 and also at 1, where it overlaps the first.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.indexof x "aa" 0) 0))
(assert (= (str.indexof x "aa" 1) 1))
(assert (= (str.len x) 3))
(check-sat)
