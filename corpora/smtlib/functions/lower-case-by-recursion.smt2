; "Ab" in small letters is "ab".
(set-logic ALL)
(set-info :status sat)
(define-fun-rec lower ((s String)) String
  (ite (= s "") "" (str.++ (ite (and (<= 65 (str.to_code (str.at s 0))) (<= (str.to_code (str.at s 0)) 90))
    (str.from_code (+ (str.to_code (str.at s 0)) 32)) (str.at s 0)) (lower (str.substr s 1 (- (str.len s) 1))))))
(declare-const s String)
(assert (= (lower s) "ab"))
(assert (not (= s "ab")))
(check-sat)
