; x = "<a>": "<" at 0, ">" at 2.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.indexof x "<" 0) 0))
(assert (= (str.indexof x ">" 0) (+ (str.indexof x "<" 0) 2)))
(assert (= (str.len x) 3))
(check-sat)
