//! Java's word boundary, as Java 17 answered: letters and decimal digits of all Unicode count, and marks
//! behind them.

#![expect(clippy::panic, reason = "helpers of tests")]

use harness_check::matcher;
use harness_model::{Alphabet, Dialect, SmtString};
use harness_regex::{ErrorKind, parse};

/// Pattern, words inside, words outside.
type Row<'a> = (&'a str, &'a [&'a str], &'a [&'a str]);

fn check(alphabet: Alphabet, rows: &[Row]) {
    for (pattern, inside, outside) in rows {
        let regex = parse(pattern, Dialect::Java, alphabet)
            .unwrap_or_else(|error| panic!("{pattern} in {alphabet}: {error}"));
        for (words, truth) in [(inside, true), (outside, false)] {
            for word in *words {
                let found = matcher::matches(&regex, &SmtString::from(*word));
                assert_eq!(found, truth, "{pattern} in {alphabet} on {word:?}");
            }
        }
    }
}

#[test]
fn in_every_alphabet() {
    for alphabet in Alphabet::ALL {
        check(
            alphabet,
            &[
                (r".*\b(?:owl|bat)\b.*", &["owl", "an owl sat", "bat-owl"], &["owls", "bowl", "_owl"]),
                (r"a\b.\bb", &["a-b", "a b"], &["axb", "a_b"]),
                (r"\w+\b\s\b\w+", &["ab cd"], &["ab  cd", " cd"]),
                (r"\B-\B", &["-"], &["a"]),
                (r"a\b{2}", &["a"], &["aa"]),
                (r"\b", &[], &["", "a"]),
            ],
        );
    }
}

#[test]
fn marks_belong_to_what_they_stand_behind() {
    for alphabet in [Alphabet::Utf16, Alphabet::Unicode] {
        check(
            alphabet,
            &[
                (r"x\bé", &[], &["xé"]),
                (r"é\b-", &["é-"], &[]),
                (".\u{301}\\b.", &["a\u{301}-", "-\u{301}a"], &["a\u{301}b", "-\u{301}-", "_\u{301}-"]),
                (".\\b\u{301}", &["_\u{301}"], &["a\u{301}", "-\u{301}", "\u{301}\u{301}"]),
                (".*\\b-", &["a-", "a\u{301}-", "a\u{301}\u{300}-"], &["-", "\u{301}-", "a-\u{301}-"]),
                (r".{2}\b-", &["-a-", "a\u{301}-"], &["a--", "-\u{301}-"]),
                (r"[^-]*\B.", &["ab", "\u{301}-", "a\u{301}b"], &["a", "a\u{301}-"]),
                (r"(?U).\b-", &["a-", "\u{301}-"], &["--"]),
            ],
        );
    }
    // Java looks at units on its way back.
    check(
        Alphabet::Unicode,
        &[
            ("\u{1D400}\\b.", &["\u{1D400}-", "\u{1D400}\u{301}"], &["\u{1D400}a"]),
            ("a\u{1E8D0}\\b.", &["a\u{1E8D0}a"], &["a\u{1E8D0}-"]),
            ("a\\b\u{1E8D0}", &[], &["a\u{1E8D0}"]),
        ],
    );
}

#[test]
fn what_would_be_written_out_too_often_is_refused() {
    for (pattern, refused) in [(r".{9}\b-", true), (r"\w{9}\b-", false), (r".*\b-", false)] {
        match parse(pattern, Dialect::Java, Alphabet::Utf16) {
            Ok(_) => assert!(!refused, "{pattern} is read"),
            Err(error) => assert!(refused && error.kind == ErrorKind::Unsupported, "{pattern}: {error}"),
        }
    }
    assert!(parse(r".{9}\b-", Dialect::Java, Alphabet::Latin1).is_ok());
}
