; The number is NaN, which is neither below 0 nor at least 0.
(set-logic ALL)
(set-info :status sat)
(declare-fun parse (String) Float64)
(declare-const s String)
(assert (not (fp.lt (parse s) (_ +zero 11 53))))
(assert (not (fp.geq (parse s) (_ +zero 11 53))))
(assert (= s "x"))
(check-sat)
