; x = "harness": four characters from 1 are "arne".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= x "harness"))
(assert (= (str.substr x 1 4) "arne"))
(check-sat)
