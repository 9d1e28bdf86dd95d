; x = "a,b,c" grows by 2, for its two commas.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.len (str.replace_all x "," ", ")) (+ (str.len x) 2)))
(assert (= (str.replace_all x "," ", ") "a, b, c"))
(check-sat)
