//! Any text at all is read or refused with a position inside it, in every dialect and alphabet; and what is
//! read can be matched.

use harness_check::matcher;
use harness_model::{Alphabet, Dialect, SmtString};
use harness_regex::{parse, parse_search};
use proptest::prelude::*;

/// Text that is mostly made of what means something.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-c\\[\\](){}|*+?.^$\\\\&:<>=!#,0-9xpPuQEbBdDwWsSkGRNhvAzZ-]",
        1 => prop_oneof![
            Just("(?:"), Just("(?i"), Just("(?x)"), Just("(?m)"), Just("(?<n>"), Just("(?>"), Just("[^"), Just("[:alpha:]"),
            Just("&&"), Just("-["), Just("\\p{L}"), Just("\\P{Lu}"), Just("\\x{41}"), Just("\\u0041"), Just("\\Q"), Just("\\E"),
            Just("{2}"), Just("{1,3}"), Just("{2147483647}"), Just("*+"), Just("$"), Just("\\b"), Just("(?s-i:"), Just("(?#"),
        ].prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn nothing_panics(text in text(), word in "[a-c\\n1 ]{0,3}") {
        let length = text.chars().count();
        for dialect in Dialect::ALL {
            for alphabet in [Alphabet::Ascii, Alphabet::Utf16, Alphabet::Unicode] {
                for read in [parse, parse_search] {
                    match read(&text, dialect, alphabet) {
                        Ok(regex) => {
                            let _ = matcher::matches(&regex, &SmtString::from(word.as_str()));
                        }
                        Err(error) => {
                            prop_assert!(error.offset <= length, "{:?} in {}: {}", text, dialect, error);
                            prop_assert!(!error.message.is_empty());
                        }
                    }
                }
            }
        }
    }
}
