; The array with "a" at 0 and "b" at every other place.
(set-logic ALL)
(set-info :status sat)
(declare-fun split (String String) (Array Int String))
(declare-const s String)
(assert (forall ((i Int)) (not (str.contains (select (split s "_") i) "_"))))
(assert (= s (str.++ (select (split s "_") 0) "_" (select (split s "_") 1))))
(assert (= s "a_b"))
(check-sat)
