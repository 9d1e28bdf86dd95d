; Up one directory, though the part behind /srv/ has no ..
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (= s (str.++ "/srv/" t)))
(assert (not (str.contains t "..")))
(assert (str.contains s "../"))
(check-sat)
