; With n >= 0, a slice has at most n characters.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const i Int)
(declare-const n Int)
(assert (>= n 0))
(assert (> (str.len (str.substr x i n)) n))
(check-sat)
