; in = "' OR '1'='1" makes a condition that is always true.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const in String)
(declare-const sql String)
(assert (= sql (str.++ "SELECT * FROM t WHERE n='" in "'")))
(assert (str.contains sql "OR '1'='1'"))
(assert (not (str.contains in "--")))
(check-sat)
