; Https for http, and the length stays
(set-logic QF_SLIA)
(declare-const s String)
(declare-const t String)
(assert (str.contains s "http:"))
(assert (= t (str.replace s "http:" "https:")))
(assert (= (str.len s) (str.len t)))
(check-sat)
