; When every "<" is replaced, no "<script>" is left.
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const in String)
(declare-const out String)
(assert (= out (str.replace_all in "<" "&lt;")))
(assert (str.contains out "<script>"))
(check-sat)
