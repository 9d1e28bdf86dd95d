; x = "": the power 0 of any language holds the empty word alone.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (str.in_re x ((_ re.^ 0) (str.to_re "abc"))))
(assert (= x ""))
(check-sat)
