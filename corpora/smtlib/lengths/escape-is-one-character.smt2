; x = "\u{1F600}" is one code point, so its length is 1 whatever the escape's length is.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= x "\u{1F600}"))
(assert (= (str.len x) 1))
(check-sat)
