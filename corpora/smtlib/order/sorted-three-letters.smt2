; "ace" has three letters in strictly rising order.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (str.in_re x ((_ re.^ 3) (re.range "a" "e"))))
(assert (str.< (str.at x 0) (str.at x 1)))
(assert (str.< (str.at x 1) (str.at x 2)))
(assert (= (str.at x 1) "c"))
(check-sat)
