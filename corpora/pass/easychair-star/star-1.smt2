; EasyChair*, path E1 with a scheme in the address
(set-logic QF_SLIA)
(declare-const s String)
(declare-const l Int)
(assert (= l (java.lastIndexOf s "/")))
(assert (< l 0))
(assert (str.contains s "://"))
(check-sat)
