//! What may be repeated, and what may follow a quantifier, as .NET, Java 17 and PCRE2 10.42 answered.

use harness_check::matcher;
use harness_model::{Alphabet, Dialect, SmtString};
use harness_regex::{ErrorKind, parse};

const ENGINES: [Dialect; 3] = [Dialect::Dotnet, Dialect::Java, Dialect::Pcre2];

/// Pattern, and whether .NET, Java and PCRE2 compile it.
const LEGAL: &[(&str, [bool; 3])] = &[
    // Assertions, bare and in groups.
    ("^*a", [true, true, false]),
    ("^{2}a", [true, true, false]),
    ("a$+?", [true, true, false]),
    (r"\A?a", [true, true, false]),
    (r"a\z{0,1}", [true, true, false]),
    (r"a\Z*", [true, true, false]),
    (r"a\b{2}", [true, true, false]),
    (r"\B{1,}", [true, true, false]),
    ("(?m)^+a", [true, true, false]),
    ("(?x)^ *a", [true, true, false]),
    ("(?:^)*a", [true, true, true]),
    ("(^)+a", [true, true, true]),
    ("(?:(?:^)){2}a", [true, true, true]),
    // Nothing, and groups that are none.
    ("*a", [false, false, false]),
    ("(|*a)", [false, false, false]),
    ("a|*", [false, false, false]),
    ("(?i)*a", [false, false, false]),
    ("a(?i)*", [false, false, false]),
    ("(?i:a)*", [true, true, true]),
    ("()*", [true, true, true]),
    ("(?:){2}", [true, true, true]),
    ("{2}", [false, true, false]),
    // Quantifiers on quantifiers.
    ("a**", [false, false, false]),
    ("a?*", [false, false, false]),
    ("a+?+", [false, false, false]),
    ("a*??", [false, false, false]),
    ("a{2}{3}", [false, true, false]),
    ("a{0}{2}", [false, true, false]),
    ("a{2}?{3}", [false, true, false]),
    ("a{2}+{3}", [false, true, false]),
    ("a{2}*", [false, false, false]),
    ("a*{2}", [false, true, false]),
    ("a++", [false, true, true]),
    ("(?:a*)*", [true, true, true]),
    // Braces that hold no count.
    ("a{,2}", [true, false, true]),
    ("a{ 2}", [true, false, true]),
    ("a{}", [true, false, true]),
    ("a{2,1}", [false, false, false]),
    ("(?x)a{2 }", [true, true, true]),
    ("(?x)a{2, 3}", [true, true, true]),
    // Comments and quotations between an item and its quantifier.
    ("a(?#c)*", [true, false, true]),
    (r"a\Q\E*", [false, true, true]),
    (r"\Qa\E*", [false, true, true]),
    (r"a\E*", [false, false, true]),
];

#[test]
fn each_engine_compiles_what_it_compiles() {
    for (pattern, legal) in LEGAL {
        for (dialect, legal) in ENGINES.into_iter().zip(legal) {
            match parse(pattern, dialect, Alphabet::Unicode) {
                Ok(_) => assert!(legal, "{pattern} in {dialect} is read"),
                Err(error) => {
                    assert!(!legal && error.kind == ErrorKind::Syntax, "{pattern} in {dialect}: {error}");
                }
            }
        }
    }
}

#[test]
fn and_it_means_what_it_means() {
    let rows: &[(Dialect, &str, &[&str], &[&str])] = &[
        (Dialect::Java, r"a\Q\E{2}", &["aa"], &["a", "aaa"]),
        (Dialect::Java, r"x\Q\E*", &["", "xx"], &["y"]),
        (Dialect::Java, r"[a-\Qc\E]", &["a", "b", "c"], &["-", "d"]),
        (Dialect::Java, r"[\Qa\E-c]", &["a", "b", "c"], &["-", "d"]),
        (Dialect::Java, "(?x)a{1 2 }", &["aaaaaaaaaaaa"], &["a", "aa"]),
        (Dialect::Java, "a*{2}", &["", "aaa"], &["b"]),
        (Dialect::Java, "^*+a", &["a"], &["aa"]),
        (Dialect::Java, "^{0}a", &["a"], &["^a"]),
        (Dialect::Pcre2, r"x\Q\E{2}", &["xx"], &["x"]),
        (Dialect::Pcre2, r"\N{2}", &["ab"], &["a", "a\n"]),
        (Dialect::Pcre2, "(?J)(?<n>a)|(?<n>b)", &["a", "b"], &["c"]),
        (Dialect::Pcre2, "(?x)a{2 }", &["a{2}"], &["aa"]),
        (Dialect::Dotnet, "(?x)a{2 }", &["a{2}"], &["aa"]),
    ];
    for (dialect, pattern, inside, outside) in rows {
        let regex = parse(pattern, *dialect, Alphabet::Unicode)
            .unwrap_or_else(|error| panic!("{pattern} in {dialect}: {error}"));
        for (words, truth) in [(inside, true), (outside, false)] {
            for word in *words {
                let found = matcher::matches(&regex, &SmtString::from(*word));
                assert_eq!(found, truth, "{pattern} in {dialect} on {word:?}");
            }
        }
    }
}

#[test]
fn refusals_say_what_is_wrong() {
    let message = |pattern: &str, dialect| match parse(pattern, dialect, Alphabet::Unicode) {
        Ok(_) => panic!("{pattern} in {dialect} is read"),
        Err(error) => error.message,
    };
    assert!(message("^*", Dialect::Pcre2).contains("does not repeat an assertion"));
    assert!(message("a**", Dialect::Pcre2).contains("a quantifier on a quantifier"));
    assert!(message("(?(1)b|c)", Dialect::Java).contains("opens no kind of group in Java"));
    assert!(message("(?P<n>a)", Dialect::Java).contains("(?<name>"));
    assert!(message("(?|a)", Dialect::Dotnet).contains("opens no kind of group in .NET"));
    assert!(message("(?#note)a", Dialect::Java).contains("opens no kind of group in Java"));
    assert!(message(r"\b{g}", Dialect::Java).contains("grapheme"));
    assert!(message(r"\p{}", Dialect::Java).contains("empty"));
    assert!(message("(?|(?<n>a)|(?<n>b))", Dialect::Pcre2).contains("not modelled"));
}
