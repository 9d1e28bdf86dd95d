; Three characters of different kinds do not fit into two.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x (re.inter (re.++ re.all (re.range "0" "9") re.all) (re.++ re.all (re.range "a" "z") re.all) (re.++ re.all (re.range "A" "Z") re.all))))
(assert (= (str.len x) 2))
(check-sat)
