; What stands before the first "=" has no "=".
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const i Int)
(assert (= i (str.indexof x "=" 0)))
(assert (> i 0))
(assert (str.contains (str.substr x 0 i) "="))
(check-sat)
