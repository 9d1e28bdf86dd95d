; No number is below 0 and above 1024.
(set-logic ALL)
(set-info :status unsat)
(declare-fun parse (String) Float64)
(declare-const s String)
(assert (fp.lt (parse s) ((_ to_fp 11 53) #x0000000000000000)))
(assert (fp.gt (parse s) ((_ to_fp 11 53) #x4090000000000000)))
(check-sat)
