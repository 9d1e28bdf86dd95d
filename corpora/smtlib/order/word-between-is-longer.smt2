; "aaz" stands between "aa" and "ab".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (str.< "aa" x))
(assert (str.< x "ab"))
(assert (str.suffixof "z" x))
(check-sat)
