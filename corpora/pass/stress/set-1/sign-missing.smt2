; A negative number without a sign
(set-logic QF_SLIA)
(declare-const s String)
(declare-const n Int)
(assert (= n (java.parseInt s)))
(assert (< n 0))
(assert (not (str.prefixof "-" s)))
(check-sat)
