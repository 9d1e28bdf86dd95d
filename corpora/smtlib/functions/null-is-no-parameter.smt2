; The parameter is "x" and null is another word.
(set-logic ALL)
(set-info :status sat)
(declare-const null-String String)
(declare-const parameter String)
(assert (not (= parameter null-String)))
(define-const upper String (str.replace_all parameter "x" "X"))
(assert (= upper "X"))
(check-sat)
