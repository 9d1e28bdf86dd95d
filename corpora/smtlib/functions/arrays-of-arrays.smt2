; The row at 0 is one of two different arrays; the other has "x" at 1.
(set-logic ALL)
(set-info :status sat)
(declare-const table (Array Int (Array Int String)))
(declare-const none (Array Int String))
(assert (not (= (select table 0) none)))
(assert (= (select (select table 0) 1) "y"))
(assert (= (select none 1) "x"))
(check-sat)
