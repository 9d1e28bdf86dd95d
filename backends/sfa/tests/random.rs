//! Random small expressions: every strategy gives the right verdict, held against the trusted matcher on all
//! short words.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use std::cell::RefCell;
use std::collections::BTreeMap;

use common::{answers_soon, question, strategies};
use harness_check::matcher;
use harness_model::{Alphabet, Char, Operation, OperationKind, SmtString, Verdict, Witness};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// Patterns over three letters, at most a few operators deep.
fn patterns() -> impl Strategy<Value = String> {
    let leaf =
        prop::sample::select(vec!["a", "b", "c", "[ab]", "[^a]", ".", "", "ab"]).prop_map(str::to_owned);
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            3 => prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| format!("({})", parts.join("|"))),
            2 => (inner, prop::sample::select(vec!["*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}"]))
                .prop_map(|(part, count)| format!("({part}){count}")),
        ]
    })
}

fn short_words() -> Vec<SmtString> {
    let mut all: Vec<Vec<Char>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..5 {
        let upto = all.len();
        for i in from..upto {
            for letter in *b"abc" {
                let mut word = all[i].clone();
                word.push(letter.into());
                all.push(word);
            }
        }
        from = upto;
    }
    all.into_iter().map(SmtString::from).collect()
}

/// Every strategy on 512 pairs of expressions. Where a strategy stops it says nothing wrong; one that stops
/// on more than a few has not been tested.
#[test]
fn verdicts_and_witnesses() {
    let strategies = strategies();
    let stops = RefCell::new(BTreeMap::<String, u32>::new());
    let config = ProptestConfig { source_file: Some(file!()), ..ProptestConfig::with_cases(512) };
    TestRunner::new(config)
        .run(&(patterns(), patterns()), |(left, right)| {
            for name in check(&strategies, &left, &right)? {
                *stops.borrow_mut().entry(name).or_default() += 1;
            }
            Ok(())
        })
        .unwrap();
    let often: Vec<_> = stops.into_inner().into_iter().filter(|(_, stops)| *stops > 51).collect();
    assert!(often.is_empty(), "stopped on more than a tenth: {often:?}");
}

/// The strategies that stopped.
fn check(
    strategies: &[Box<dyn backends_api::Strategy>],
    left: &str,
    right: &str,
) -> Result<Vec<String>, TestCaseError> {
    let kinds = [OperationKind::Product, OperationKind::Difference];
    let operations = kinds.map(|kind| Operation { kind, left: 0, right: 1 });
    let question = question(Alphabet::Ascii, &[left.to_owned(), right.to_owned()], operations.to_vec());
    let regexes = [left, right]
        .map(|p| harness_regex::parse(p, harness_model::Dialect::Dotnet, Alphabet::Ascii).unwrap());
    let wanted = |kind: OperationKind, word: &SmtString| {
        matcher::matches(&regexes[0], word)
            && matcher::matches(&regexes[1], word) == (kind == OperationKind::Product)
    };
    let exists = kinds.map(|kind| short_words().iter().any(|word| wanted(kind, word)));
    let mut verdicts: Vec<[Verdict; 2]> = Vec::new();
    let mut stopped = Vec::new();
    for strategy in strategies {
        let Some(answers) = answers_soon(&**strategy, &question) else {
            stopped.push(strategy.info().name);
            continue;
        };
        for (kind, (answer, &exists)) in kinds.into_iter().zip(answers.iter().zip(&exists)) {
            match &answer.witness {
                Some(Witness::Word(word)) => prop_assert!(wanted(kind, word), "{kind} gave {word:?}"),
                Some(Witness::Model(_) | Witness::Languages(_)) => {
                    prop_assert!(false, "{kind}: no word but something else");
                }
                None => prop_assert!(answer.verdict == Verdict::Empty && !exists, "{kind}"),
            }
        }
        verdicts.push([answers[0].verdict, answers[1].verdict]);
    }
    prop_assert!(verdicts.windows(2).all(|pair| pair[0] == pair[1]), "{verdicts:?}");
    Ok(stopped)
}
