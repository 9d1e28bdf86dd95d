; The empty word is found where the search begins: 2 in "abc", and 3 at its end.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= x "abc"))
(assert (= (str.indexof x "" 2) 2))
(assert (= (str.indexof x "" 3) 3))
(check-sat)
