; "https://good.com.evil.org" begins with the trusted host's address.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const url String)
(assert (str.prefixof "https://good.com" url))
(assert (str.suffixof ".evil.org" url))
(assert (not (str.contains url "@")))
(check-sat)
