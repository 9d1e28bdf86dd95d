; x = "id 42" becomes "id ##".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= (str.replace_re_all x (re.range "0" "9") "#") "id ##"))
(assert (str.suffixof "42" x))
(check-sat)
