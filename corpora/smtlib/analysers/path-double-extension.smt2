; "a.png.php" contains ".png" and ends in ".php": a test by "contains" lets it through.
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const file String)
(assert (str.contains file ".png"))
(assert (str.suffixof ".php" file))
(assert (= (str.len file) 9))
(check-sat)
