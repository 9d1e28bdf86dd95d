; SMT-LIB's characters include the codes that UTF-16 sets apart: 55296 has length 1.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= x "\u{d800}"))
(assert (= (str.to_code x) 55296))
(assert (= (str.len x) 1))
(check-sat)
