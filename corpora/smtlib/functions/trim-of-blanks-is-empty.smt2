; Of three blanks nothing is left.
(set-logic ALL)
(set-info :status unsat)
(define-fun-rec left ((s String)) String
  (ite (= s "") "" (ite (<= 9 (str.to_code (str.at s 0)) 32) (left (str.substr s 1 (- (str.len s) 1))) s)))
(declare-const s String)
(assert (str.in_re s ((_ re.loop 0 3) (str.to_re " "))))
(assert (not (= (left s) "")))
(check-sat)
