; Every digit becomes "#", so no digit is left.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x ((_ re.loop 1 3) re.allchar)))
(assert (str.in_re (str.replace_re_all x (re.range "0" "9") "#") (re.++ re.all (re.range "0" "9") re.all)))
(check-sat)
