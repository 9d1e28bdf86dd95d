; Replacing all takes the shortest matches that are not empty: of a* in "aab", each "a".
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= x "aab"))
(assert (= (str.replace_re_all x (re.* (str.to_re "a")) "-") "--b"))
(check-sat)
