//! Every probe of `tests/dialects`: what Java, PCRE2, .NET and the Rust crate answered when they were asked,
//! against the language that this crate reads.
//!
//! Where an engine accepts what is refused here, the reason is in [`REFUSED`]; where an engine refuses what
//! is read here, in [`ACCEPTED`]. Both lists are exact: an entry that no longer applies fails the test.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use harness_check::matcher;
use harness_model::{Alphabet, Dialect, SmtString};
use harness_regex::{ErrorKind, parse, parse_search};
use serde::Deserialize;

/// Legal in these dialects, refused here: name of the case, pattern, kind, why.
const REFUSED: &[(&str, &str, ErrorKind, &str)] = &[
    ("atomic-group", "(?>o|ok)c", ErrorKind::Unsupported, "what an atomic group gives up is not modelled"),
    ("atomic-group", "(?>o*)o", ErrorKind::Unsupported, "what an atomic group gives up is not modelled"),
    ("lookahead-must-not-be-dropped", "(?=.*n)v*", ErrorKind::Unsupported, "look-ahead"),
    ("lookahead-must-not-be-dropped", "v*(?!v)..", ErrorKind::Unsupported, "look-ahead"),
    ("word-edges", r"(\bq\b)*", ErrorKind::Unsupported, "an assertion without bound"),
    ("word-edges", r"(?:\b-)*a", ErrorKind::Unsupported, "an assertion without bound"),
    ("word-edges", r"a(\b|b)*c", ErrorKind::Unsupported, "an assertion without bound"),
    ("other-dialects-constructs", "(?<n>a)?(?(n)b|c)", ErrorKind::Unsupported, "a condition"),
    ("other-dialects-constructs", "(?R)?a", ErrorKind::Unsupported, "recursion"),
    ("other-dialects-constructs", "(a)(?1)", ErrorKind::Unsupported, "recursion"),
    ("other-dialects-constructs", "(?<n>a)(?&n)", ErrorKind::Unsupported, "recursion"),
    ("other-dialects-constructs", "(?P<n>a)(?P>n)", ErrorKind::Unsupported, "recursion"),
    ("other-dialects-constructs", "(?P<n>a)(?P=n)", ErrorKind::Unsupported, "a back-reference"),
    ("other-dialects-constructs", "a(*SKIP)b", ErrorKind::Unsupported, "a verb"),
    ("other-dialects-constructs", r"(*UCP)\w", ErrorKind::Unsupported, "a verb"),
    ("other-dialects-constructs", r"a\Kb", ErrorKind::Unsupported, "what is kept out of the match"),
    ("other-dialects-constructs", r"\R\R", ErrorKind::Unsupported, "what a line break gives up"),
    ("other-dialects-constructs", r"\R\n", ErrorKind::Unsupported, "what a line break gives up"),
    ("other-dialects-constructs", r"\X", ErrorKind::Unsupported, "grapheme clusters"),
    ("other-dialects-constructs", r"\Ga", ErrorKind::Unsupported, "an earlier match"),
    ("other-dialects-constructs", r"\N{LATIN SMALL LETTER A}", ErrorKind::Unsupported, "characters by name"),
];

/// Illegal in this dialect, read here: name of the case, pattern, dialect, why.
const ACCEPTED: &[(&str, &str, Dialect, &str)] = &[
    ("huge-counts", "(?:u{1000}){1000}", Dialect::Rust, "the size of the compiled program, not the syntax"),
    ("huge-counts", "u{2147483647}", Dialect::Rust, "the size of the compiled program, not the syntax"),
];

/// The dialects that an engine was asked about; that of the study differs from .NET in `\w` alone.
const ENGINES: [Dialect; 4] = [Dialect::Dotnet, Dialect::Java, Dialect::Pcre2, Dialect::Rust];

#[derive(Deserialize)]
struct File {
    name: String,
    r#match: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    #[serde(default)]
    pattern: Option<String>,
    #[serde(default)]
    pattern_rule: Option<String>,
    syntax: Syntax,
    #[serde(default)]
    probes: Vec<BTreeMap<String, Value>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Syntax {
    Each(BTreeMap<String, String>),
    Any(String),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Truth(bool),
    Text(String),
}

fn probe(probe: &BTreeMap<String, Value>, who: &str) -> Option<(SmtString, bool)> {
    let Some(Value::Text(text)) = probe.get("text") else { panic!("a probe without text") };
    match probe.get(who)? {
        Value::Truth(truth) => Some((SmtString::from(text.as_str()), *truth)),
        Value::Text(other) => panic!("{who}: {other} is no truth"),
    }
}

fn files() -> Vec<File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dialects");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .iter()
        .map(|path| {
            let text = std::fs::read_to_string(path).unwrap();
            serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        })
        .collect()
}

#[test]
fn every_probe_of_every_dialect() {
    let mut refused = BTreeSet::new();
    let mut accepted = BTreeSet::new();
    let (mut patterns, mut probes) = (0, 0);
    for file in files() {
        let search = match file.r#match.as_str() {
            "full" => false,
            "search" => true,
            other => panic!("{}: no way to match is named {other}", file.name),
        };
        for case in &file.cases {
            let (Some(pattern), Syntax::Each(syntax)) = (&case.pattern, &case.syntax) else { continue };
            for dialect in ENGINES {
                let engine_reads = match syntax.get(dialect.name()).map(String::as_str) {
                    Some("ok") => true,
                    Some("error") => false,
                    Some(other) => panic!("{}: syntax {other}", file.name),
                    // Nobody asked this one.
                    None => continue,
                };
                patterns += 1;
                let read = if search { parse_search } else { parse };
                let regex = match (read(pattern, dialect, Alphabet::Unicode), engine_reads) {
                    (Ok(_), false) => {
                        let listed = ACCEPTED
                            .iter()
                            .position(|&(n, p, d, _)| n == file.name && p == pattern && d == dialect);
                        accepted.insert(listed.unwrap_or_else(|| {
                            panic!("{}: {pattern} is illegal in {dialect}, but is read", file.name)
                        }));
                        continue;
                    }
                    (Err(error), true) => {
                        let listed = REFUSED
                            .iter()
                            .position(|&(n, p, k, _)| n == file.name && p == pattern && k == error.kind);
                        refused.insert(listed.unwrap_or_else(|| {
                            panic!("{}: {pattern} is legal in {dialect}, but: {error}", file.name)
                        }));
                        continue;
                    }
                    (Err(error), false) => {
                        assert!(error.offset <= pattern.chars().count());
                        continue;
                    }
                    (Ok(regex), true) => regex,
                };
                for one in &case.probes {
                    let Some((word, truth)) = probe(one, dialect.name()) else { continue };
                    assert_eq!(
                        matcher::matches(&regex, &word),
                        truth,
                        "{}: {pattern} in {dialect} on {word:?}: {regex:?}",
                        file.name
                    );
                    probes += 1;
                }
            }
        }
    }
    assert_eq!(refused.len(), REFUSED.len(), "an exception no longer applies");
    assert_eq!(accepted.len(), ACCEPTED.len(), "an exception no longer applies");
    assert!(patterns >= 150 && probes >= 700, "{patterns} patterns, {probes} probes");
}

#[test]
fn deep_nesting_is_refused_by_a_named_limit() {
    let file = files().into_iter().find(|f| f.name == "deep-group-nesting").unwrap();
    let case = &file.cases[0];
    assert_eq!(case.pattern_rule.as_deref(), Some("2000 times ( then z then 2000 times )*"));
    assert!(matches!(&case.syntax, Syntax::Any(text) if text.contains("refused-by-named-limit")));
    for dialect in ENGINES {
        for depth in [2000, 200_000] {
            let pattern = format!("{}z{}", "(".repeat(depth), ")*".repeat(depth));
            let error = parse(&pattern, dialect, Alphabet::Unicode).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Limit, "{dialect}: {error}");
        }
    }
}

#[test]
fn nesting_up_to_the_limit_means_what_it_says() {
    let file = files().into_iter().find(|f| f.name == "deep-group-nesting").unwrap();
    let depth = harness_regex::NESTING_LIMIT;
    let pattern = format!("{}z{}", "(".repeat(depth), ")*".repeat(depth));
    for dialect in [Dialect::Dotnet, Dialect::Java, Dialect::Pcre2] {
        let regex = parse(&pattern, dialect, Alphabet::Unicode).unwrap();
        for one in &file.cases[0].probes {
            let (word, truth) = probe(one, "language").unwrap();
            assert_eq!(matcher::matches(&regex, &word), truth, "{word:?}");
        }
    }
}
