; With b true, x = "on".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const b Bool)
(assert (= x (ite b "on" "off")))
(assert (= (str.len x) 2))
(check-sat)
