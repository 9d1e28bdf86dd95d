//! For random small expressions: what is true is never flagged, and a lie always is when a witness exists.
//! The truth comes from the sets of all short words, computed from the definition of each operator.

mod common;

use std::collections::BTreeSet;

use common::{answered, bare, difference, empty, expecting, product, word};
use harness_judge::{Severity, judge};
use harness_model::{Status, Task, Verdict};
use proptest::prelude::*;

/// Words longer than this are not looked at.
const LONGEST: usize = 5;

type Words = BTreeSet<String>;

/// A pattern and the words up to [`LONGEST`] that it denotes.
#[derive(Clone, Debug)]
struct Expression {
    pattern: String,
    words: Words,
}

fn concat(a: &Words, b: &Words) -> Words {
    a.iter().flat_map(|x| b.iter().map(move |y| format!("{x}{y}"))).filter(|w| w.len() <= LONGEST).collect()
}

fn repeat(words: &Words, min: usize, max: usize) -> Words {
    let mut power: Words = ["".to_owned()].into();
    let mut all = Words::new();
    for round in 0..=max {
        if round >= min {
            all.extend(power.iter().cloned());
        }
        power = concat(&power, words);
    }
    all
}

fn every_word() -> Words {
    repeat(&["a".to_owned(), "b".to_owned()].into(), 0, LONGEST)
}

fn expression() -> impl Strategy<Value = Expression> {
    let leaf = prop_oneof![
        Just(("a", vec!["a"])),
        Just(("b", vec!["b"])),
        Just(("[ab]", vec!["a", "b"])),
        Just(("(?:)", vec![""])),
    ]
    .prop_map(|(pattern, words)| Expression {
        pattern: pattern.to_owned(),
        words: words.into_iter().map(str::to_owned).collect(),
    });
    leaf.prop_recursive(4, 12, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Expression {
                words: concat(&a.words, &b.words),
                pattern: format!("{}{}", a.pattern, b.pattern),
            }),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Expression {
                words: a.words.union(&b.words).cloned().collect(),
                pattern: format!("(?:{}|{})", a.pattern, b.pattern),
            }),
            // More rounds than the longest word has characters bring nothing new.
            inner.clone().prop_map(|a| Expression {
                words: repeat(&a.words, 0, LONGEST),
                pattern: format!("(?:{})*", a.pattern),
            }),
            (inner, 0..3_usize, 0..3_usize).prop_map(|(a, min, more)| Expression {
                words: repeat(&a.words, min, min + more),
                pattern: format!("(?:{}){{{min},{}}}", a.pattern, min + more),
            }),
        ]
    })
}

/// A task and the short words of its language.
fn question() -> impl Strategy<Value = (Task, Words)> {
    (expression(), expression(), any::<bool>()).prop_map(|(a, b, together)| {
        if together {
            (product("t", &a.pattern, &b.pattern), a.words.intersection(&b.words).cloned().collect())
        } else {
            (difference("t", &a.pattern, &b.pattern), a.words.difference(&b.words).cloned().collect())
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn truth_is_never_flagged_and_a_lie_always(
        (task, language) in question(),
        pick in any::<prop::sample::Index>(),
        expects in any::<bool>(),
    ) {
        prop_assume!(!language.is_empty());
        let inside = pick.get(&language.iter().collect::<Vec<_>>()).to_string();
        let task = if expects { expecting(task, &[Verdict::Nonempty]) } else { task };
        let honest = answered(&task, "honest", vec![word(&inside)]);
        let terse = answered(&task, "terse", vec![bare()]);
        let liar = answered(&task, "liar", vec![empty()]);

        let fine = judge(std::slice::from_ref(&task), &[honest.clone(), terse.clone()]);
        prop_assert_eq!(fine.severity(), Severity::Fine);
        prop_assert!(fine.judgements.iter().all(|j| j.status == Status::Answered(Verdict::Nonempty)));
        prop_assert_eq!(fine.notes.len(), 0);

        let found = judge(std::slice::from_ref(&task), &[liar.clone(), honest, liar, terse]);
        let wrong: Vec<bool> = found.judgements.iter().map(|j| j.status == Status::Wrong).collect();
        prop_assert_eq!(wrong, [true, false, true, false]);
        prop_assert_eq!(found.disagreements.len(), 1);
        prop_assert_eq!(found.severity(), Severity::Wrong);
    }

    #[test]
    fn every_short_word_is_a_witness_or_an_invalid_one((task, language) in question()) {
        let all: Vec<String> = every_word().into_iter().collect();
        let records: Vec<_> = all.iter().map(|w| answered(&task, w, vec![word(w)])).collect();
        let found = judge(std::slice::from_ref(&task), &records);
        for (text, judgement) in all.iter().zip(&found.judgements) {
            let right =
                if language.contains(text) { Status::Answered(Verdict::Nonempty) } else { Status::InvalidModel };
            prop_assert_eq!(judgement.status, right, "{:?}: {}", text, judgement.detail);
        }
        prop_assert!(found.disagreements.is_empty());
    }

    #[test]
    fn order_and_company_change_no_status((task, language) in question(), turn in 0..3_usize) {
        let first = language.first().cloned().unwrap_or_else(|| "ab".to_owned());
        let mut records = vec![
            answered(&task, "r", vec![word(&first)]),
            answered(&task, "s", vec![empty()]),
            answered(&task, "t", vec![bare()]),
        ];
        let statuses = |records: &[_]| {
            let judged = judge(std::slice::from_ref(&task), records).judgements;
            judged.iter().map(|j| j.status).collect::<Vec<_>>()
        };
        let mut before = statuses(&records);
        records.rotate_left(turn);
        before.rotate_left(turn);
        prop_assert_eq!(statuses(&records), before);
    }
}

#[test]
fn the_sets_of_words_are_right() {
    let ab = repeat(&["ab".to_owned()].into(), 1, 2);
    assert_eq!(ab.into_iter().collect::<Vec<_>>(), ["ab", "abab"]);
    assert_eq!(every_word().len(), 63);
    assert_eq!(every_word().first().unwrap(), "");
}
