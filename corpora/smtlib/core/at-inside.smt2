; x = "hello" has "h" at 0 and "o" at 4.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.at x 0) "h"))
(assert (= (str.at x 4) "o"))
(assert (= (str.len x) 5))
(check-sat)
