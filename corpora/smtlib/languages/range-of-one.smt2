; The range from "k" to "k" holds "k".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (str.in_re x (re.range "k" "k")))
(assert (= x "k"))
(check-sat)
