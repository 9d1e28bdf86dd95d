; x is a power of "a", y one of "b", so x y has no "ba".
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (str.in_re x (re.* (str.to_re "a"))))
(assert (str.in_re y (re.* (str.to_re "b"))))
(assert (str.contains (str.++ x y) "ba"))
(check-sat)
