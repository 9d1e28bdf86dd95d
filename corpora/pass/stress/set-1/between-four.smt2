; Four characters between abc and abd
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.< "abc" s))
(assert (str.< s "abd"))
(assert (= (str.len s) 4))
(assert (str.suffixof "z" s))
(check-sat)
