; In "aaab" the leftmost match of a+ begins at 0, and its shortest has one character.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(assert (= x "aaab"))
(assert (= (str.replace_re x (re.+ (str.to_re "a")) "-") "-aab"))
(check-sat)
