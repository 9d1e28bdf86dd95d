; Both reads are at the place 3.
(set-logic ALL)
(set-info :status unsat)
(declare-const words (Array Int String))
(declare-const i Int)
(assert (= (* 2 i) 6))
(assert (str.prefixof "a" (select words i)))
(assert (= (select words 3) "b"))
(check-sat)
