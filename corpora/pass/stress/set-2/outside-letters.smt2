; A letter from a to h that is not among them
(set-logic QF_SLIA)
(declare-const t String)
(declare-const k Int)
(assert (= (str.len t) 1))
(assert (= k (str.to_code t)))
(assert (<= 97 k 104))
(assert (not (str.contains "abcdefgh" t)))
(check-sat)
