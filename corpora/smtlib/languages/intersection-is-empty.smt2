; Words of (ab)+ begin with "a" and words of (ba)+ with "b".
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(assert (str.in_re x (re.inter (re.+ (str.to_re "ab")) (re.+ (str.to_re "ba")))))
(check-sat)
