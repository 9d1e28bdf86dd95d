; A part of a word that is as long as the word is the word.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (str.contains x y))
(assert (= (str.len x) (str.len y)))
(assert (not (= (str.++ x "!") (str.++ y "!"))))
(check-sat)
