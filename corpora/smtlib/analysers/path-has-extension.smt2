; What follows the last dot is "php", so the file does not end in ".png".
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const file String)
(declare-const base String)
(assert (= file (str.++ base ".php")))
(assert (str.suffixof ".png" file))
(check-sat)
