; Both uses of p are the same word, which is not longer than itself.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (let ((p (str.++ x "-" x))) (> (str.len p) (str.len (str.++ p "")))))
(check-sat)
