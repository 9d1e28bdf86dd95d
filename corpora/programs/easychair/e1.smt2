; EasyChair query check, path E1: no slash
(set-logic QF_SLIA)
(declare-const s String)
(declare-const l Int)
(assert (= l (java.lastIndexOf s "/")))
(assert (< l 0))
(check-sat)
