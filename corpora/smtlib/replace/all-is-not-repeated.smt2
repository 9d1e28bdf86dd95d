; x = "aabb" becomes "ab", which has an occurrence again: nothing is replaced twice.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= x "aabb"))
(assert (= (str.replace_all x "ab" "") "ab"))
(check-sat)
