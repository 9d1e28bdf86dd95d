//! Random patterns of the Rust dialect, assertions among them, against the crate `regex` itself, on random
//! short words: whole matches and searches.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use harness_check::matcher;
use harness_model::{Alphabet, Dialect, SmtString};
use harness_regex::{ErrorKind, parse, parse_search};
use proptest::prelude::*;

/// A pattern of literals, classes, operators and assertions.
fn pattern(assertions: bool) -> impl Strategy<Value = String> {
    let literal = prop_oneof![
        Just("a".to_owned()),
        Just("b".to_owned()),
        Just("-".to_owned()),
        Just(r"\n".to_owned()),
        Just("é".to_owned()),
        Just(".".to_owned()),
        Just("[a-c]".to_owned()),
        Just("[^b]".to_owned()),
        Just("[a-z&&[^b]]".to_owned()),
        Just(r"\w".to_owned()),
        Just(r"\W".to_owned()),
        Just(r"\d".to_owned()),
        Just(r"[\s-]".to_owned()),
        Just("(?i:B)".to_owned()),
        Just(String::new()),
    ];
    let assertion = prop_oneof![
        Just("^".to_owned()),
        Just("$".to_owned()),
        Just("(?m:^)".to_owned()),
        Just("(?m:$)".to_owned()),
        Just("(?mR:^)".to_owned()),
        Just("(?mR:$)".to_owned()),
        Just(r"\b".to_owned()),
        Just(r"\B".to_owned()),
        Just(r"(?-u:\b)".to_owned()),
        Just(r"\b{start}".to_owned()),
        Just(r"\b{end-half}".to_owned()),
    ];
    let leaf = if assertions { prop_oneof![3 => literal, 1 => assertion].boxed() } else { literal.boxed() };
    leaf.prop_recursive(4, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(|parts| parts.concat()),
            prop::collection::vec(inner.clone(), 2..4).prop_map(|parts| format!("(?:{})", parts.join("|"))),
            (inner.clone(), "[*+?]|\\{[0-3]\\}|\\{1,3\\}|\\{2,\\}").prop_map(|(p, q)| format!("(?:{p}){q}")),
            (inner, "[*+?]\\??").prop_map(|(p, q)| format!("({p}){q}")),
        ]
    })
}

fn words() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[abB1 é\\n\\r-]{0,6}", 12)
}

/// What the crate says: as a whole, and of some part.
fn crate_says(pattern: &str, word: &str) -> (bool, bool) {
    let whole = regex::Regex::new(&format!(r"\A(?:{pattern})\z")).unwrap();
    let part = regex::Regex::new(pattern).unwrap();
    (whole.is_match(word), part.is_match(word))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn without_assertions(pattern in pattern(false), words in words()) {
        let whole = parse(&pattern, Dialect::Rust, Alphabet::Unicode).unwrap();
        let part = parse_search(&pattern, Dialect::Rust, Alphabet::Unicode).unwrap();
        for word in &words {
            let text = SmtString::from(word.as_str());
            let found = (matcher::matches(&whole, &text), matcher::matches(&part, &text));
            prop_assert_eq!(found, crate_says(&pattern, word), "{} on {:?}", pattern, word);
        }
    }

    #[test]
    fn with_assertions(pattern in pattern(true), words in words()) {
        for (search, read) in [(false, parse(&pattern, Dialect::Rust, Alphabet::Unicode)),
            (true, parse_search(&pattern, Dialect::Rust, Alphabet::Unicode))] {
            let regex = match read {
                Ok(regex) => regex,
                // Repeated assertions and too many cases are refused, never answered wrongly.
                Err(error) => {
                    prop_assert!(error.kind != ErrorKind::Syntax, "{}: {}", pattern, error);
                    continue;
                }
            };
            for word in &words {
                let says = crate_says(&pattern, word);
                let expected = if search { says.1 } else { says.0 };
                let found = matcher::matches(&regex, &SmtString::from(word.as_str()));
                prop_assert_eq!(found, expected, "{} on {:?} (search: {})", pattern, word, search);
            }
        }
    }
}
