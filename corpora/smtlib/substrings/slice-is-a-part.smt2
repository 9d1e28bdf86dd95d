; Every slice of a word is a part of it, the empty one too.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const i Int)
(declare-const n Int)
(assert (not (str.contains x (str.substr x i n))))
(check-sat)
