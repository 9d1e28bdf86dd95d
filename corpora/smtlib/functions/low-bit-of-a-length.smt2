; A length of 2n has the lowest bit 0.
(set-logic ALL)
(set-info :status unsat)
(declare-const s String)
(declare-const t String)
(assert (= s (str.++ t t)))
(assert (= (bv2nat (bvand ((_ int2bv 32) (str.len s)) #x00000001)) 1))
(check-sat)
