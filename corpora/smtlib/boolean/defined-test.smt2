; A word that is short and long at once: at most 3 and at least 5 characters.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(define-fun short ((w String)) Bool (<= (str.len w) 3))
(define-fun long ((w String)) Bool (>= (str.len w) 5))
(assert (and (short x) (long x)))
(check-sat)
