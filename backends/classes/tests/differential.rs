//! Every variant against the trusted matcher, on random small expressions: an answer "empty" means that no
//! short word is in the result, and a witness must be in it. Breadth first and eager must find a shortest
//! witness.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test")]

use backends_api::{Budget, Probe};
use backends_classes::Classes;
use backends_classes::search::Order;
use backends_input::Expressions;
use harness_check::matcher::matches;
use harness_model::{Alphabet, Char, CharSet, Operation, OperationKind, Regex, SmtString, Verdict, Witness};
use proptest::prelude::*;

/// Sets over four letters that the words below are made of, and of characters that none of them has.
fn sets() -> impl Strategy<Value = Regex> {
    prop_oneof![
        8 => proptest::sample::subsequence(vec!['a', 'b', 'c', 'd'], 0..=3).prop_map(|letters| {
            Regex::set(CharSet::from_ranges(letters.into_iter().map(|c| (u32::from(c), u32::from(c)))))
        }),
        1 => Just(Regex::set(CharSet::full(Alphabet::Unicode))),
        1 => Just(Regex::set(CharSet::range(Char(0x62), Char(0x1_0000)))),
    ]
}

fn regexes(boolean: bool) -> impl Strategy<Value = Regex> {
    let leaf = prop_oneof![1 => Just(Regex::Empty), 1 => Just(Regex::Epsilon), 12 => sets()];
    leaf.prop_recursive(4, 14, 3, move |inner| {
        let plain = prop_oneof![
            4 => proptest::collection::vec(inner.clone(), 0..4).prop_map(Regex::concat),
            3 => proptest::collection::vec(inner.clone(), 0..4).prop_map(Regex::union),
            4 => (inner.clone(), 0u32..4, proptest::option::of(0u32..5))
                .prop_map(|(r, min, max)| r.repeat(min, max)),
        ];
        if boolean {
            prop_oneof![
                4 => plain,
                1 => proptest::collection::vec(inner.clone(), 0..3).prop_map(|p| Regex::Inter(p.into())),
                1 => inner.prop_map(|r| Regex::Complement(r.into())),
            ]
            .boxed()
        } else {
            plain.boxed()
        }
    })
}

/// All words of at most four characters over a, b, c, d and one that is in few sets.
fn short_words() -> Vec<SmtString> {
    let letters = ['a', 'b', 'c', 'd', '0'].map(|c| Char(u32::from(c)));
    let mut words = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..4 {
        let to = words.len();
        for i in from..to {
            for letter in letters {
                let mut longer = words[i].clone();
                longer.push(letter);
                words.push(longer);
            }
        }
        from = to;
    }
    words.into_iter().map(SmtString::from).collect()
}

const KINDS: [OperationKind; 2] = [OperationKind::Product, OperationKind::Difference];

/// The results that the matcher says: product and difference.
fn is_in(kind: OperationKind, in_left: bool, in_right: bool) -> bool {
    in_left && (kind == OperationKind::Product) == in_right
}

fn check(pair: &[Regex], alphabet: Alphabet) {
    let operations = KINDS.map(|kind| Operation { kind, left: 0, right: 1 });
    let asked = Expressions::new(alphabet, pair.to_vec(), operations).unwrap();
    let membership: Vec<(SmtString, bool, bool)> = short_words()
        .into_iter()
        .map(|w| {
            let (l, r) = (matches(&pair[0], &w), matches(&pair[1], &w));
            (w, l, r)
        })
        .collect();
    for antichain in [false, true] {
        for order in [Order::DepthFirst, Order::BreadthFirst, Order::Eager] {
            let strategy = Classes { order, antichain };
            let outcome = strategy.answer(&asked, &Budget::unlimited(), &Probe::new()).unwrap();
            for (kind, answer) in KINDS.into_iter().zip(outcome.answers) {
                let shortest = membership.iter().find(|&&(_, l, r)| is_in(kind, l, r));
                match (answer.verdict, answer.witness) {
                    (Verdict::Empty, None) => {
                        assert!(shortest.is_none(), "{strategy:?} {kind} misses {shortest:?}");
                    }
                    (Verdict::Nonempty, Some(Witness::Word(word))) => {
                        assert_eq!(word.foreign_to(alphabet), None);
                        let (l, r) = (matches(&pair[0], &word), matches(&pair[1], &word));
                        assert!(is_in(kind, l, r), "{strategy:?} {kind}: {word} is not in it");
                        if order != Order::DepthFirst {
                            let least = shortest.map_or(usize::MAX, |(w, ..)| w.len());
                            assert!(
                                word.len() <= least,
                                "{strategy:?} {kind}: {word} is longer than {least}"
                            );
                        }
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn plain_expressions(pair in proptest::collection::vec(regexes(false), 2)) {
        check(&pair, Alphabet::Ascii);
    }

    #[test]
    fn with_complement_and_intersection(pair in proptest::collection::vec(regexes(true), 2)) {
        check(&pair, Alphabet::Unicode);
    }
}
