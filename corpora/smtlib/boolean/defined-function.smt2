; With x = "a", wrapping it gives "[a]".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(define-fun wrap ((w String)) String (str.++ "[" w "]"))
(assert (= (wrap x) "[a]"))
(check-sat)
