; An input of digits only has no quote.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const in String)
(declare-const sql String)
(assert (str.in_re in (re.+ (re.range "0" "9"))))
(assert (= sql (str.++ "DELETE FROM t WHERE id=" in)))
(assert (str.contains sql "'"))
(check-sat)
