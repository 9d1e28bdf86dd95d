; EasyChair query check, path E1: no slash, 1 to 30 printable characters
(set-logic QF_SLIA)
(declare-const s String)
(assert (<= 1 (str.len s) 30))
(assert (str.in_re s (re.* (re.range " " "~"))))
(declare-const l Int)
(assert (= l (java.lastIndexOf s "/")))
(assert (< l 0))
(check-sat)
