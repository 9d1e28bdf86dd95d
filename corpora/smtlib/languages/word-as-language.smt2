; str.to_re of a word holds that word alone, also when the word is unknown.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (str.in_re x (re.++ (str.to_re y) (str.to_re "!"))))
(assert (not (= x (str.++ y "!"))))
(check-sat)
