//! Which names of properties each engine knows, as .NET, Java 17 and PCRE2 10.42 answered, and what they
//! mean.

use harness_model::{Alphabet, Char, Dialect, Regex};
use harness_regex::{ErrorKind, parse};

const ENGINES: [Dialect; 3] = [Dialect::Dotnet, Dialect::Java, Dialect::Pcre2];

/// What stands behind `\p`, and whether .NET, Java and PCRE2 know it.
const KNOWN: &[(&str, [bool; 3])] = &[
    // Categories: short names, letter case, what does not count in names.
    ("{Lu}", [true, true, true]),
    ("{lu}", [false, false, true]),
    ("{L_u}", [false, false, true]),
    ("{ L }", [false, false, true]),
    ("{Lu }", [false, false, true]),
    ("L", [false, true, true]),
    ("l", [false, false, true]),
    ("{L&}", [false, false, true]),
    ("{LC}", [false, true, true]),
    ("{Lc}", [false, false, true]),
    ("{LD}", [false, true, false]),
    ("{Letter}", [false, false, false]),
    ("{Uppercase_Letter}", [false, false, false]),
    ("{^Lu}", [false, false, true]),
    ("{ ^Lu}", [false, false, false]),
    ("{^^Lu}", [false, false, false]),
    ("{}", [false, false, false]),
    ("{Lu", [false, false, false]),
    ("1", [false, false, false]),
    ("{gc=Lu}", [false, true, false]),
    ("{GC=Lu}", [false, true, false]),
    ("{general_category=LD}", [false, true, false]),
    ("{gc=lu}", [false, false, false]),
    ("{IsLu}", [false, true, false]),
    ("{Islu}", [false, false, false]),
    // Scripts.
    ("{Greek}", [false, false, true]),
    ("{grek}", [false, false, true]),
    ("{isGreek}", [false, false, false]),
    ("{IsGREEK}", [false, true, false]),
    ("{IsGrek}", [false, true, false]),
    ("{IsLatin}", [false, true, false]),
    ("{sc=Greek}", [false, true, true]),
    ("{sc:Greek}", [false, false, true]),
    ("{sc = Greek}", [false, false, true]),
    ("{Script=grek}", [false, true, true]),
    ("{scx=Greek}", [false, false, true]),
    ("{script extensions:grek}", [false, false, true]),
    ("{sc=Old_Italic}", [false, true, true]),
    ("{sc=OldItalic}", [false, false, true]),
    ("{sc=Old-Italic}", [false, false, true]),
    ("{sc=Zzzz}", [false, true, true]),
    ("{IsUnknown}", [false, true, false]),
    ("{sc=Qaai}", [false, false, true]),
    ("{sc=Vithkuqi}", [false, false, true]),
    ("{sc=Kawi}", [false, false, false]),
    // Blocks.
    ("{IsBasicLatin}", [true, false, false]),
    ("{IsGreek}", [true, true, false]),
    ("{IsGreekandCoptic}", [true, false, false]),
    ("{IsLatin-1Supplement}", [true, false, false]),
    ("{IsLatinExtended-A}", [true, false, false]),
    ("{IsGlagolitic}", [false, true, false]),
    ("{InGreek}", [false, true, false]),
    ("{InGreek_and_Coptic}", [false, false, false]),
    ("{InGreek and Coptic}", [false, true, false]),
    ("{InGREEKANDCOPTIC}", [false, true, false]),
    ("{InLatin_1_Supplement}", [false, true, false]),
    ("{InLatin1Supplement}", [false, false, false]),
    ("{inGreek}", [false, false, false]),
    ("{blk=BasicLatin}", [false, true, false]),
    ("{Block=Basic-Latin}", [false, false, false]),
    // Binary properties.
    ("{Alphabetic}", [false, false, true]),
    ("{alpha}", [false, false, true]),
    ("{Alpha}", [false, true, true]),
    ("{IsAlphabetic}", [false, true, false]),
    ("{IsALPHA}", [false, true, false]),
    ("{IsWhite_Space}", [false, true, false]),
    ("{IsWhiteSpace}", [false, true, false]),
    ("{WhiteSpace}", [false, false, true]),
    ("{IsHexDigit}", [false, true, false]),
    ("{IsEmoji}", [false, false, false]),
    ("{Emoji}", [false, false, true]),
    ("{AHex}", [false, false, true]),
    ("{ASCII}", [false, true, true]),
    ("{IsASCII}", [false, true, false]),
    ("{Any}", [false, false, true]),
    ("{all}", [false, true, false]),
    ("{L1}", [false, true, false]),
    ("{digit}", [false, false, false]),
    ("{Digit}", [false, true, false]),
    ("{XDigit}", [false, true, false]),
    ("{Xdigit}", [false, false, false]),
    ("{Xuc}", [false, false, true]),
    ("{javaLowerCase}", [false, true, false]),
    ("{IsjavaLowerCase}", [false, true, false]),
    ("{javaSpace}", [false, false, false]),
    ("{no such}", [false, false, false]),
];

#[test]
fn each_engine_knows_the_names_that_it_knows() {
    for (name, known) in KNOWN {
        for (dialect, known) in ENGINES.into_iter().zip(known) {
            for letter in ["p", "P"] {
                match parse(&format!("\\{letter}{name}"), dialect, Alphabet::Unicode) {
                    Ok(_) => assert!(known, "{name} in {dialect} is read"),
                    Err(error) => {
                        assert!(!known && error.kind == ErrorKind::Syntax, "{name} in {dialect}: {error}");
                    }
                }
            }
        }
    }
}

/// Names that the engine knows and this crate does not.
#[test]
fn what_is_not_modelled_is_said_to_be_so() {
    for (dialect, pattern) in [
        (Dialect::Dotnet, r"\p{_xmlC}"),
        (Dialect::Java, r"\p{javaUnicodeIdentifierStart}"),
        (Dialect::Pcre2, r"\p{bc=AL}"),
        (Dialect::Pcre2, r"\p{bidi_al}"),
        (Dialect::Pcre2, r"\p{Bidi_Mirrored}"),
    ] {
        let error = parse(pattern, dialect, Alphabet::Unicode).err();
        let error = error.unwrap_or_else(|| panic!("{pattern} in {dialect} is read"));
        assert_eq!(error.kind, ErrorKind::Unsupported, "{pattern} in {dialect}: {error}");
        assert!(error.message.contains("not modelled"), "{error}");
    }
    assert!(
        parse(r"\p{bc=XX}", Dialect::Pcre2, Alphabet::Unicode).is_err_and(|e| e.kind == ErrorKind::Syntax)
    );
}

#[test]
fn and_they_mean_what_they_mean() {
    let rows: &[(Dialect, &str, &str, &str)] = &[
        (Dialect::Dotnet, r"\p{IsGreek}", "αΩ\u{370}\u{3FF}", "a\u{400}"),
        (Dialect::Dotnet, r"\p{IsCJKUnifiedIdeographsExtensionA}", "\u{3400}\u{4DBF}", "\u{4DC0}"),
        (Dialect::Java, r"\p{InGreek}", "α\u{370}\u{378}", "a\u{1F00}"),
        (Dialect::Java, r"\p{IsGreek}", "α\u{1F00}", "a\u{378}"),
        (Dialect::Java, r"\p{IsHexDigit}", "fF9\u{FF21}\u{661}", "g"),
        (Dialect::Java, r"\p{IsPunct}", "!-\u{2014}", "$+a"),
        (Dialect::Java, r"\p{Punct}", "!-$+", "\u{2014}a"),
        (Dialect::Java, r"(?U)\p{Lower}", "aé", "A1"),
        (Dialect::Java, r"\p{Lower}", "a", "éA1"),
        (Dialect::Java, r"(?i)\p{javaLowerCase}", "aAéÉ", "1"),
        (Dialect::Java, r"\p{javaWhitespace}", " \t\u{1C}\u{2003}", "\u{A0}\u{85}a"),
        (Dialect::Java, r"\p{javaMirrored}", "()<", "a|"),
        (Dialect::Java, r"\p{IsGraph}", "a!\u{200D}", " \u{A0}\t"),
        (Dialect::Pcre2, r"\p{Lower}", "aé\u{AA}", "A"),
        (Dialect::Pcre2, r"(?i)\p{Lower}", "aé", "A"),
        (Dialect::Pcre2, r"\p{ascii}", "a\u{7F}", "\u{80}"),
        (Dialect::Pcre2, r"\p{Xps}", " \u{180E}\u{A0}\n", "a"),
        (Dialect::Pcre2, r"\p{Xuc}", "$@`\u{A0}", "a"),
        (Dialect::Pcre2, r"\p{Deva}", "\u{905}\u{964}", "a"),
        (Dialect::Pcre2, r"\p{sc=Deva}", "\u{905}", "a\u{964}"),
    ];
    for (dialect, pattern, inside, outside) in rows {
        let Ok(Regex::Set(set)) = parse(pattern, *dialect, Alphabet::Unicode) else {
            panic!("{pattern} in {dialect} is no set")
        };
        for (chars, truth) in [(inside, true), (outside, false)] {
            for c in chars.chars() {
                assert_eq!(set.contains(Char(u32::from(c))), truth, "{pattern} in {dialect}: {c:?}");
            }
        }
    }
}
