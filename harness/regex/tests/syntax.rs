//! What each dialect reads, refuses and means, in tables.

#![expect(clippy::panic, reason = "helpers of tests")]

use harness_check::matcher;
use harness_model::{Alphabet, Char, CharSet, Dialect, Regex, SmtString};
use harness_regex::{ErrorKind, NESTING_LIMIT, parse, parse_search};

const DOTNET: &[Dialect] = &[Dialect::Dotnet, Dialect::DotnetStudy];
const JAVA: &[Dialect] = &[Dialect::Java];
const PCRE2: &[Dialect] = &[Dialect::Pcre2];
const ALL: &[Dialect] = &Dialect::ALL;
/// All that this crate reads with its own parser.
const OWN: &[Dialect] = &[Dialect::Dotnet, Dialect::DotnetStudy, Dialect::Java, Dialect::Pcre2];

const RUST: &[Dialect] = &[Dialect::Rust];
const JAVA_PCRE2: &[Dialect] = &[Dialect::Java, Dialect::Pcre2];
const DOTNET_JAVA: &[Dialect] = &[Dialect::Dotnet, Dialect::Java];
const NOT_JAVA: &[Dialect] = &[Dialect::Dotnet, Dialect::Pcre2, Dialect::Rust];

/// Dialects, pattern, words inside, words outside.
type Row<'a> = (&'a [Dialect], &'a str, &'a [&'a str], &'a [&'a str]);

/// Checks whole matches.
fn check(rows: &[Row]) {
    for (dialects, pattern, inside, outside) in rows {
        for &dialect in *dialects {
            let regex = parse(pattern, dialect, Alphabet::Unicode)
                .unwrap_or_else(|error| panic!("{pattern} in {dialect}: {error}"));
            for (words, truth) in [(inside, true), (outside, false)] {
                for word in *words {
                    let found = matcher::matches(&regex, &SmtString::from(*word));
                    assert_eq!(found, truth, "{pattern} in {dialect} on {word:?}: {regex:?}");
                }
            }
        }
    }
}

/// As [`check`], for searches.
fn check_search(rows: &[Row]) {
    for (dialects, pattern, inside, outside) in rows {
        for &dialect in *dialects {
            let regex = parse_search(pattern, dialect, Alphabet::Latin1)
                .unwrap_or_else(|error| panic!("{pattern} in {dialect}: {error}"));
            for (words, truth) in [(inside, true), (outside, false)] {
                for word in *words {
                    let found = matcher::matches(&regex, &SmtString::from(*word));
                    assert_eq!(found, truth, "{pattern} in {dialect} on {word:?}: {regex:?}");
                }
            }
        }
    }
}

/// Checks that each row is refused: dialects, pattern, kind, position.
fn check_errors(rows: &[(&[Dialect], &str, ErrorKind, usize)]) {
    for (dialects, pattern, kind, offset) in rows {
        for &dialect in *dialects {
            match parse(pattern, dialect, Alphabet::Unicode) {
                Ok(regex) => panic!("{pattern} in {dialect} is read: {regex:?}"),
                Err(error) => {
                    assert_eq!(
                        (error.kind, error.offset),
                        (*kind, *offset),
                        "{pattern} in {dialect}: {error}"
                    );
                }
            }
        }
    }
}

#[test]
fn groups_and_quantifiers() {
    check(&[
        (ALL, "a{2,3}", &["aa", "aaa"], &["a", "aaaa", ""]),
        (ALL, "a{2,}?", &["aa", "aaaaa"], &["a"]),
        (ALL, "a*?b+?c??", &["b", "aabbc"], &["", "a", "bcc"]),
        (ALL, "(?:ab|c)(d)?", &["ab", "abd", "cd"], &["d", "abab"]),
        (ALL, "(?<name>a)b", &["ab"], &["a"]),
        (DOTNET, "(?'name'a)(?<name>b)", &["ab"], &["a"]),
        (PCRE2, "(?P<name>a)(?'other'b)(?|(c)|(d))", &["abc", "abd"], &["ab"]),
        (ALL, "a{0}b", &["b"], &["ab"]),
        (ALL, "(a|)b", &["ab", "b"], &["a"]),
        (&[Dialect::Dotnet, Dialect::Pcre2], "a(?#comment)*b", &["b", "aab"], &["ab)"]),
        // In Java a second count applies to the empty word.
        (JAVA, "a{2}{3}", &["aa"], &["aaaaaa"]),
    ]);
}

#[test]
fn flags() {
    check(&[
        (ALL, "(?x) a b # c\n c", &["abc"], &["a b", " abc"]),
        (ALL, "(?x)a +", &["a", "aa"], &["a ", ""]),
        (ALL, "(?s).(?-s).", &["\na", "ab"], &["a\n"]),
        (ALL, "(?i:a)b(?i)c", &["Abc", "abC"], &["aBc"]),
        (ALL, "((?i)a)b", &["Ab"], &["AB"]),
        (DOTNET, "(?n)(a)(?<b>c)", &["ac"], &["a"]),
        (JAVA, "(?i)é", &["é"], &["É"]),
        (JAVA, "(?iu)é", &["é", "É"], &["e"]),
        (NOT_JAVA, "(?i)é", &["é", "É"], &["e"]),
        (DOTNET, "(?i)k", &["k", "K", "\u{212A}"], &["x"]),
        (DOTNET, "(?i)s", &["s", "S"], &["ſ"]),
        (PCRE2, "(?i)s", &["s", "S", "ſ"], &["x"]),
        (JAVA, "(?U)\\w\\d", &["é\u{661}"], &["--"]),
        (JAVA, "(?d).", &["\r", "\u{2028}"], &["\n"]),
        (JAVA, "(?x)[a b#c\n]", &["a", "b"], &[" ", "#", "c"]),
        (&[Dialect::Dotnet, Dialect::Pcre2], "(?x)[a b]", &["a", " "], &["c"]),
        (PCRE2, "(?xx)[a b]", &["a", "b"], &[" "]),
        (PCRE2, "(?^)a(?U)b(?J)c", &["abc"], &["ab"]),
    ]);
    check_errors(&[
        (OWN, "(?q)a", ErrorKind::Syntax, 2),
        (JAVA, "(?n)a", ErrorKind::Syntax, 2),
        (DOTNET, "(?i", ErrorKind::Syntax, 3),
    ]);
}

#[test]
fn classes() {
    check(&[
        (DOTNET, "[a-z-[aeiou]]", &["b", "z"], &["a", "-", "["]),
        (DOTNET, "[a-z-[b-y-[m]]]", &["a", "z", "m"], &["b", "n"]),
        (DOTNET, r"[^a-[\n]]", &["b"], &["a", "\n"]),
        (DOTNET, "[-[a]]", &["-]", "[]", "a]"], &["-", "a", "b]"]),
        (DOTNET, r"[\w-[\d]]", &["a", "_"], &["1", "-"]),
        (DOTNET, r"[a\-z]", &["a", "-", "z"], &["b"]),
        (DOTNET, "[[:alpha:]]", &["["], &["a", ":"]),
        (JAVA, "[a-d&&c-f]", &["c", "d"], &["a", "e", "&"]),
        (JAVA, "[a-z&&[^m-p]]", &["a", "z"], &["m", "p"]),
        (JAVA, "[a-z&&[def]x]", &["d", "x"], &["a", "y"]),
        (JAVA, "[ab[c-e]]", &["a", "e"], &["f", "["]),
        (JAVA, "[^ab[c-e]]", &["f", "["], &["a", "d"]),
        (JAVA, "[a-c&&[b-d]&&[c-e]]", &["c"], &["b", "d"]),
        (JAVA, "[a&]", &["a", "&"], &["b"]),
        (JAVA, r"[\Q]-[\E]", &["]", "-", "["], &["a", "\\"]),
        (JAVA, "[a-[b]]", &["a", "-", "b"], &["c"]),
        (PCRE2, "[[:alpha:][:digit:]_]", &["a", "1", "_"], &[":", "-"]),
        (PCRE2, "[[:^alpha:]]", &["1", "é"], &["a"]),
        (PCRE2, r"[\Q]\E^]", &["]", "^"], &["Q"]),
        (PCRE2, r"[a\E-\Ec]", &["a", "b", "c"], &["-"]),
        (PCRE2, r"[\b\x{e9}\101\8]", &["\u{8}", "é", "A", "8"], &["b"]),
        (PCRE2, "(?i)[[:upper:]]", &["a", "A"], &["1"]),
        (ALL, r"[\d\s]", &["1", " "], &["a"]),
        (ALL, r"[^\d]", &["a", "\u{2FFFF}"], &["1"]),
        (ALL, "[a-c]", &["a", "b", "c"], &["d", "-"]),
        (OWN, r"[\]\\\-]", &["]", "\\", "-"], &["a"]),
    ]);
    check_errors(&[
        (OWN, "x[z-a]", ErrorKind::Syntax, 2),
        (OWN, "x[ab", ErrorKind::Syntax, 1),
        (DOTNET, "[a-[b]c]", ErrorKind::Syntax, 3),
        (PCRE2, "[[:nope:]]", ErrorKind::Syntax, 1),
        (PCRE2, "[[.a.]]", ErrorKind::Syntax, 1),
        (PCRE2, r"[\R]", ErrorKind::Syntax, 1),
        (JAVA, r"[\b]", ErrorKind::Syntax, 1),
        (JAVA, "[&&]", ErrorKind::Syntax, 1),
    ]);
}

#[test]
fn properties() {
    check(&[
        (ALL, r"\p{Lu}\P{Lu}", &["Aa", "É1"], &["aa", "AA"]),
        (&[Dialect::Java, Dialect::Pcre2, Dialect::Rust], r"\pL\PL", &["a1"], &["11"]),
        (JAVA, r"\p{Alpha}\p{IsGreek}\p{IsAlphabetic}\p{L1}", &["aαéÿ"], &["éαéÿ", "aaéÿ"]),
        (JAVA, r"\p{sc=Greek}\p{gc=Nd}\p{LC}", &["α1a"], &["a1a"]),
        (JAVA, r"(?i)\p{Lu}", &["a", "A"], &["1"]),
        (PCRE2, r"\p{Greek}\p{^Lu}\p{L&}\p{Xwd}", &["αaa_"], &["αAa_"]),
        (PCRE2, r"\p{greek}\p{ l u }", &["αA"], &["αa"]),
        (PCRE2, r"(?i)\p{Lu}", &["A"], &["a"]),
        (ALL, r"[\p{Lu}\p{Nd}]", &["A", "1"], &["a"]),
    ]);
    check_errors(&[
        (OWN, r"a\p{Xx}", ErrorKind::Syntax, 1),
        (OWN, r"a\p{Lu", ErrorKind::Syntax, 1),
        (DOTNET, r"(?i)\p{Lu}", ErrorKind::Unsupported, 4),
    ]);
    let surrogates = parse(r"\p{Cs}", Dialect::Dotnet, Alphabet::Utf16).unwrap();
    assert_eq!(surrogates, Regex::set(CharSet::from_ranges([(0xD800, 0xDFFF)])));
}

#[test]
fn escapes() {
    check(&[
        (OWN, r"\t\n\r\f\a\e", &["\t\n\r\u{c}\u{7}\u{1b}"], &["tnrfae"]),
        (OWN, r"\x41\cA", &["A\u{1}"], &["x41cA"]),
        (DOTNET, r"\v\012\0", &["\u{b}\n\0"], &[]),
        (DOTNET, r"\u00e9", &["é"], &["e"]),
        (JAVA, r"\012\0101\x{1F600}\uD83D\uDE00", &["\nA😀😀"], &[]),
        (JAVA, r"\v\h\R\R", &["\u{85}\u{a0}\r\n\n", "\n\t\r\n"], &["\n\t"]),
        (PCRE2, r"\x", &["\0"], &["x"]),
        (PCRE2, r"\o{101}\101\07\N{U+e9}\N", &["AA\u{7}éx"], &["AA\u{7}é\n"]),
        (PCRE2, r"\H\V\E", &["ab"], &[" b", "a\n"]),
        (PCRE2, r"\Qa.b\E*\Qc", &["a.c", "a.bbc"], &["axc"]),
        (JAVA, r"\Qa.b\E*\Qc", &["a.c", "a.bbc"], &["axc"]),
        (PCRE2, r"\R", &["\r\n", "\n", "\r"], &["\n\n"]),
        (PCRE2, r"\Ra", &["\r\na", "\ra"], &["a"]),
        (ALL, r"\.\*\[\]\(\)\{\}\|\^\$\?\+\\", &[".*[](){}|^$?+\\"], &[]),
    ]);
    check_errors(&[
        (OWN, r"a\", ErrorKind::Syntax, 1),
        (DOTNET, r"a\_", ErrorKind::Syntax, 1),
        (OWN, r"a\y", ErrorKind::Syntax, 1),
        (PCRE2, r"a\u0041", ErrorKind::Syntax, 1),
        (DOTNET, r"a\x4", ErrorKind::Syntax, 1),
        (JAVA, r"a\09", ErrorKind::Syntax, 1),
        (PCRE2, r"a\x{110000}", ErrorKind::Syntax, 1),
        (JAVA, r"a\E", ErrorKind::Syntax, 1),
        (PCRE2, r"\R\n", ErrorKind::Unsupported, 0),
    ]);
}

#[test]
fn what_is_not_regular_is_refused_with_its_place() {
    check_errors(&[
        (ALL, r"(a)b\1", ErrorKind::Unsupported, 4),
        (OWN, r"(?<n>a)\k<n>", ErrorKind::Unsupported, 7),
        (ALL, "ab(?=c)", ErrorKind::Unsupported, 2),
        (ALL, "a(?=b)+b", ErrorKind::Unsupported, 1),
        (ALL, "a(?=b){1}b", ErrorKind::Unsupported, 1),
        (ALL, "a(?!b){1,2}b", ErrorKind::Unsupported, 1),
        (ALL, "ab(?<!c)", ErrorKind::Unsupported, 2),
        (PCRE2, "a(?R)?", ErrorKind::Unsupported, 1),
        (PCRE2, "(a)(?1)", ErrorKind::Unsupported, 3),
        (PCRE2, "(a)(?(1)b)", ErrorKind::Unsupported, 3),
        (DOTNET, "(?<a>x)(?<b-a>y)", ErrorKind::Unsupported, 7),
        (PCRE2, "a(*FAIL)", ErrorKind::Unsupported, 1),
        (OWN, r"a\G", ErrorKind::Unsupported, 1),
        (PCRE2, r"a\Kb", ErrorKind::Unsupported, 1),
    ]);
    check_errors(&[
        (&[Dialect::Dotnet, Dialect::Pcre2], r"(?:a|\bb)*", ErrorKind::Unsupported, 9),
        (RUST, r"(?:a|\bb)*", ErrorKind::Unsupported, 5),
    ]);
}

#[test]
fn syntax_errors_have_their_place() {
    check_errors(&[
        (OWN, "ab)c", ErrorKind::Syntax, 2),
        (OWN, "ab(c", ErrorKind::Syntax, 2),
        (OWN, "a(((", ErrorKind::Syntax, 3),
        (OWN, "a|*", ErrorKind::Syntax, 2),
        (DOTNET, "a**", ErrorKind::Syntax, 2),
        (DOTNET, "a++", ErrorKind::Syntax, 2),
        (OWN, "a{3,2}", ErrorKind::Syntax, 1),
        (OWN, "a{2147483648}", ErrorKind::Syntax, 1),
        (PCRE2, "a{65536}", ErrorKind::Syntax, 1),
        (JAVA, "a{x}", ErrorKind::Syntax, 1),
        (OWN, "(?<x!>a)", ErrorKind::Syntax, 3),
        (JAVA_PCRE2, "(?<a>x)(?<a>y)", ErrorKind::Syntax, 10),
    ]);
}

#[test]
fn possessive_and_atomic_where_it_makes_no_difference() {
    check(&[
        (JAVA_PCRE2, "(?>abc|abd)e", &["abce", "abde"], &["abc"]),
        (JAVA_PCRE2, "[^\"]*+\"", &["\"", "ab\""], &["ab"]),
        (JAVA_PCRE2, "a{2}+a", &["aaa"], &["aa"]),
        (JAVA_PCRE2, "ba*+", &["b", "baa"], &["ab"]),
        (JAVA_PCRE2, "^a*+$", &["", "aa"], &["b"]),
        // A quotation of nothing, at the end of a range and before its hyphen.
        (JAVA_PCRE2, "[A-\\Q\\Ez]", &["B", "z"], &["1"]),
        (JAVA_PCRE2, "[a\\Q\\E-z]", &["b", "z"], &["-"]),
        (JAVA_PCRE2, "(?>ab|a)c", &["abc", "ac"], &["a"]),
        (JAVA_PCRE2, "a?+b", &["b", "ab"], &["a"]),
    ]);
    check_errors(&[
        (JAVA_PCRE2, "xa*+a", ErrorKind::Unsupported, 2),
        (JAVA_PCRE2, "xa*+b?", ErrorKind::Unsupported, 2),
        (OWN, "x(?>a|ab)c", ErrorKind::Unsupported, 1),
        // The engines take the shortest and give nothing back, so 'ab' does not match.
        (OWN, "x(?>a*?)b", ErrorKind::Unsupported, 1),
        (OWN, "(?>(?:ab??)c)b", ErrorKind::Unsupported, 0),
        (JAVA_PCRE2, "(?:a*?){1,2}+b", ErrorKind::Unsupported, 7),
    ]);
}

#[test]
fn anchors_in_whole_matches() {
    check(&[
        (OWN, r"^a$", &["a"], &["a\n", ""]),
        (OWN, r"\Aa\Z", &["a"], &["a\n"]),
        (OWN, r"(^a|b$)", &["a", "b"], &["", "ab"]),
        (OWN, r"a^b", &[], &["ab", "a\nb"]),
        (OWN, r"a$\n", &["a\n"], &["a"]),
        (OWN, r"a\z\n?", &["a"], &["a\n"]),
        (OWN, r"a$b*\n*", &["a", "a\n"], &["ab", "a\n\n"]),
        (OWN, r"(?m)a$\n^b", &["a\nb"], &["ab"]),
        (OWN, r"(?m)(a|^b|\n)(^c|d)", &["ad", "bd", "\nc", "\nd"], &["ac", "bc"]),
        (NOT_JAVA, r"\bab\b.?c?", &["ab", "ab-", "ab-c"], &["abc", "abcc"]),
        (NOT_JAVA, r"a\Bb\b-?", &["ab", "ab-"], &["a", "-"]),
        (JAVA, r"a$\r\n", &["a\r\n"], &["a\n"]),
        (JAVA, r"a\r$\n", &[], &["a\r\n"]),
        (DOTNET, r"a\r$\n", &["a\r\n"], &["a\r"]),
        (JAVA, r"(?m)^", &[], &["", "\n"]),
        (DOTNET, r"(?m)\n^", &["\n"], &[""]),
        (PCRE2, r"(?m)\n^", &[], &["\n"]),
        (PCRE2, r"(?m)^", &[""], &["\n"]),
        (DOTNET_JAVA, r"^*a", &["a"], &["^a"]),
        (OWN, r"(^a){0,2}", &["", "a"], &["aa"]),
        (OWN, r"(a?^){2}b", &["b"], &["ab"]),
    ]);
}

#[test]
fn searches() {
    check_search(&[
        (OWN, "b", &["b", "abc"], &["", "ac"]),
        (OWN, "^b", &["b", "bc"], &["ab"]),
        (OWN, "b$", &["b", "ab", "ab\n"], &["ba", "b\n\n"]),
        (OWN, "^b$|c", &["b", "b\n", "acb"], &["ab"]),
        (OWN, "(?m)^b$", &["b", "a\nb\nc"], &["ab", "b c"]),
        (OWN, "^$", &["", "\n"], &["a"]),
        (OWN, r"\bcat\b", &["cat", "a cat.", "cat cats"], &["cats", "concat"]),
        (OWN, r"\Bat", &["cat", "bat at"], &["at", "-at"]),
        (OWN, "", &["", "anything"], &[]),
        (JAVA, "b$", &["b\r\n", "b\r", "b\u{85}"], &["b\r\r"]),
        (JAVA, "(?d)b$", &["b\n"], &["b\r\n", "b\r"]),
        (DOTNET, "b$", &["b\n"], &["b\r\n"]),
    ]);
}

#[test]
fn shapes_are_those_of_the_parse_tree() {
    let read = |pattern: &str| parse(pattern, Dialect::Dotnet, Alphabet::Ascii).unwrap();
    let set =
        |text: &str| Regex::set(CharSet::from_ranges(text.bytes().map(|b| (u32::from(b), u32::from(b)))));
    assert_eq!(read(r"(a|\-)"), set("a-"));
    assert_eq!(read(r"([a-b]|[c]|d)"), set("abcd"));
    assert_eq!(read("a|b|cd"), Regex::union([set("ab"), Regex::concat([set("c"), set("d")])]));
    assert_eq!(read("((ab)(?:cd))"), Regex::concat(["a", "b", "c", "d"].map(set)));
    assert_eq!(read("(a){1}"), set("a"));
    assert_eq!(read("(a){2}"), Regex::concat([set("a")]).repeat(2, Some(2)));
    assert_eq!(read("(?:a){2}"), set("a").repeat(2, Some(2)));
    assert_eq!(read("(?n)(a){2}"), set("a").repeat(2, Some(2)));
    assert_eq!(read("[a]{2}"), set("a").repeat(2, Some(2)));
    assert_eq!(read("^(a|b)*$"), Regex::concat([set("ab")]).star());
    assert_eq!(read("(?:)"), Regex::Epsilon);
    assert_eq!(read("a|"), Regex::union([set("a"), Regex::Epsilon]));
    assert_eq!(read("(a*)*"), set("a").star().star());
}

#[test]
fn classes_are_cut_to_the_alphabet() {
    for dialect in Dialect::ALL {
        assert_eq!(parse("é", dialect, Alphabet::Ascii), Ok(Regex::set(CharSet::empty())), "{dialect}");
        let Ok(Regex::Set(not)) = parse("[^a]", dialect, Alphabet::Ascii) else { panic!("no set") };
        assert_eq!(not.len(), 127);
        for alphabet in Alphabet::ALL {
            for class in [r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", ".", r"\p{L}", r"\P{L}", "(?i)[^k]"] {
                let Ok(Regex::Set(set)) = parse(class, dialect, alphabet) else {
                    panic!("{class} is no set")
                };
                assert_eq!(set.cut_to(alphabet), *set, "{class}");
                assert!(!set.is_empty());
            }
        }
    }
}

#[test]
fn the_classes_of_dotnet_and_of_the_study() {
    let set = |class: &str, dialect, alphabet| match parse(class, dialect, alphabet) {
        Ok(Regex::Set(set)) => (*set).clone(),
        other => panic!("{class}: {other:?}"),
    };
    for dialect in [Dialect::Dotnet, Dialect::DotnetStudy] {
        let own = |class, alphabet| set(class, dialect, alphabet);
        assert_eq!(own(r"\w", Alphabet::Ascii).len(), 26 + 26 + 10 + 1);
        assert_eq!(own(r"\s", Alphabet::Latin1).len(), 5 + 1 + 1 + 1);
        assert!(own(r"\d", Alphabet::Unicode).contains(Char(0x0661)));
        assert_eq!(own(r"\w", Alphabet::Utf16).complement(Alphabet::Utf16), own(r"\W", Alphabet::Utf16));
        // Neither has enclosing and spacing marks, or joiners.
        for c in [0x0488, 0x0903, 0x200C, 0x200D] {
            assert!(!own(r"\w", Alphabet::Unicode).contains(Char(c)), "{c:X}");
        }
    }
    // The study leaves out the marks, and nothing else.
    for (class, other) in [(r"\w", r"\p{Mn}"), (r"[\w-[a]]", r"\p{Mn}")] {
        let users = set(class, Dialect::Dotnet, Alphabet::Unicode);
        let study = set(class, Dialect::DotnetStudy, Alphabet::Unicode);
        assert_eq!(users.difference(&study), set(other, Dialect::Dotnet, Alphabet::Unicode), "{class}");
    }
    assert_eq!(
        set(r"\w", Dialect::Dotnet, Alphabet::Unicode),
        set(r"[\p{L}\p{Mn}\p{Nd}\p{Pc}]", Dialect::Dotnet, Alphabet::Unicode)
    );
}

#[test]
fn characters_above_ffff_over_utf16() {
    let units = SmtString::from(vec![Char(0xD83D), Char(0xDE00)]);
    let twice = SmtString::from(vec![Char(0xD83D), Char(0xDE00), Char(0xDE00)]);
    let read = |pattern: &str, dialect| parse(pattern, dialect, Alphabet::Utf16);
    for dialect in Dialect::ALL {
        assert!(matcher::matches(&read("😀", dialect).unwrap(), &units), "{dialect}");
    }
    // .NET counts the second unit, the others the character.
    assert!(matcher::matches(&read("😀{2}", Dialect::Dotnet).unwrap(), &twice));
    assert!(!matcher::matches(&read("😀{2}", Dialect::Java).unwrap(), &twice));
    let error = read("ab[😀]", Dialect::Java).unwrap_err();
    assert_eq!((error.kind, error.offset), (ErrorKind::Unsupported, 3));
    assert_eq!(read("😀(", Dialect::Dotnet).unwrap_err().offset, 1);
}

#[test]
fn limits_have_names() {
    let limit = |pattern: &str, dialect| {
        let error = parse(pattern, dialect, Alphabet::Ascii).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Limit, "{error}");
        error.message
    };
    let deep = "(".repeat(NESTING_LIMIT + 1);
    assert!(limit(&deep, Dialect::Dotnet).contains("1000"));
    assert!(limit(&"[".repeat(300), Dialect::Java).contains("250"));
    assert!(limit(&format!("{}a", "[a&&".repeat(300)), Dialect::Java).contains("250"));
    assert!(limit(&format!("x{}", "[a-".repeat(300)), Dialect::Dotnet).contains("250"));
    assert!(limit(&format!("a{}", r"(?:\b|a|)".repeat(14)), Dialect::Dotnet).contains("4096"));
    assert!(limit(r"a(?:\bb){100}", Dialect::Dotnet).contains("64"));
    // Huge counts cost nothing.
    let huge = parse("((a{1000}){1000}b{2147483647})*", Dialect::Dotnet, Alphabet::Ascii).unwrap();
    assert!(matcher::matches(&huge, &SmtString::empty()));
    assert!(!matcher::matches(&huge, &SmtString::from("aab")));
}

/// No input deepens the stack: quantifiers on quantifiers are refused, or are one.
#[test]
fn quantifiers_on_quantifiers_do_not_deepen() {
    for dialect in Dialect::ALL {
        for (unit, count) in
            [("*", 50_000), ("+", 50_000), ("?", 50_000), ("{1}", 50_000), ("*+", 25_000), ("*?", 25_000)]
        {
            // On a small stack, so that depth would show.
            let read = move || parse(&format!("a{}", unit.repeat(count)), dialect, Alphabet::Ascii).is_ok();
            let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(read).unwrap();
            let legal = thread.join().unwrap();
            assert!(!legal || unit == "{1}" || dialect == Dialect::Java, "{dialect}: {unit}");
        }
    }
}
