; "<<b>" loses only its first "<".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const in String)
(declare-const out String)
(assert (= out (str.replace in "<" "")))
(assert (= out "<b>"))
(assert (= (str.at in 1) "<"))
(check-sat)
