; "  ab " without blanks at its ends is "ab".
(set-logic ALL)
(set-info :status sat)
(define-fun blank ((c String)) Bool (< (str.to_code c) 33))
(define-fun-rec left ((s String)) String
  (ite (= s "") "" (ite (blank (str.at s 0)) (left (str.substr s 1 (- (str.len s) 1))) s)))
(define-fun-rec right ((s String)) String
  (ite (= s "") "" (ite (blank (str.at s (- (str.len s) 1))) (right (str.substr s 0 (- (str.len s) 1))) s)))
(declare-const s String)
(assert (= (right (left s)) "ab"))
(assert (= (str.len s) 5))
(check-sat)
