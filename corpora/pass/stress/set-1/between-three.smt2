; Three characters between abc and abd
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.< "abc" s))
(assert (str.< s "abd"))
(assert (= (str.len s) 3))
(check-sat)
