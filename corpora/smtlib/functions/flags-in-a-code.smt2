; The code of "a" is 97, in bits 1100001; without the bit 32 it is 65, the code of "A".
(set-logic ALL)
(set-info :status sat)
(declare-const s String)
(assert (= (str.from_code (bv2nat (bvand ((_ int2bv 16) (str.to_code s)) #xffdf))) "A"))
(assert (not (= s "A")))
(check-sat)
