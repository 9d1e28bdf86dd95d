; No part has the separator, and the second part is "a_b".
(set-logic ALL)
(set-info :status unsat)
(declare-fun split (String String) (Array Int String))
(declare-const s String)
(assert (forall ((i Int)) (not (str.contains (select (split s "_") i) "_"))))
(assert (= (select (split s "_") 1) "a_b"))
(check-sat)
