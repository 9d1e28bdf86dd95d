; x = "path/" without its last character is "path".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.substr x 0 (- (str.len x) 1)) "path"))
(assert (str.suffixof "/" x))
(check-sat)
