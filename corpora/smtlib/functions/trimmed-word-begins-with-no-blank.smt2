; What is left begins with no blank.
(set-logic ALL)
(set-info :status unsat)
(define-fun-rec left ((s String)) String
  (ite (= s "") "" (ite (= (str.at s 0) " ") (left (str.substr s 1 (- (str.len s) 1))) s)))
(declare-const s String)
(assert (str.prefixof " " (left s)))
(check-sat)
