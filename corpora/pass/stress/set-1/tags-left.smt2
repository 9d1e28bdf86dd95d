; A tag is left by escaping
(set-logic QF_SLIA)
(declare-const s String)
(declare-const q String)
(assert (= q (java.replace s "<" "&lt;")))
(assert (str.contains q "<"))
(assert (str.contains s "script"))
(check-sat)
