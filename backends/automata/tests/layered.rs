//! Layered automata against sets of words.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeSet;

use backends_algebra::{BddAlgebra, BooleanAlgebra, HashSetAlgebra, RangeAlgebra};
use backends_api::Budget;
use backends_automata::{Layers, Node, construct, eliminate};
use harness_model::{Alphabet, Char, CharSet, Regex, SmtString};
use proptest::prelude::*;

type Words = BTreeSet<Vec<u8>>;

/// Sets of words of this length over `a`, `b`, `c`.
const LENGTH: usize = 3;

fn all(length: usize) -> Vec<Vec<u8>> {
    (0..length).fold(vec![Vec::new()], |words, _| {
        words.iter().flat_map(|w| b"abc".map(|c| [w.as_slice(), &[c]].concat())).collect()
    })
}

fn chars(word: &[u8]) -> Vec<Char> {
    word.iter().map(|&c| Char::from(c)).collect()
}

fn of_words<A: BooleanAlgebra>(layers: &mut Layers<A>, words: &Words) -> Node {
    let budget = Budget::unlimited();
    words.iter().fold(Node::EMPTY, |node, word| {
        let word = layers.word(&chars(word)).unwrap();
        layers.union(node, word, &budget).unwrap()
    })
}

/// The language of a node that is over `a`, `b`, `c`.
fn words_of<A: BooleanAlgebra>(layers: &Layers<A>, node: Node) -> Words {
    if node.is_empty() {
        return Words::new();
    }
    let contains = |word: &Vec<u8>| layers.contains(node, &chars(word)).unwrap();
    all(layers.length(node)).into_iter().filter(contains).collect()
}

fn set() -> impl Strategy<Value = Words> {
    prop::collection::vec(any::<bool>(), 27).prop_map(|bits| {
        all(LENGTH).into_iter().zip(bits).filter(|(_, bit)| *bit).map(|(word, _)| word).collect()
    })
}

/// Every operation on two languages, against its definition on sets.
fn definitions<A: BooleanAlgebra>(algebra: A, x: &Words, y: &Words) {
    let budget = &Budget::unlimited();
    let mut layers = Layers::new(algebra);
    let (a, b) = (of_words(&mut layers, x), of_words(&mut layers, y));
    assert_eq!(words_of(&layers, a), *x);
    assert_eq!(a == b, x == y, "equal languages are the same node");

    let intersection = layers.intersection(a, b, budget).unwrap();
    assert_eq!(words_of(&layers, intersection), x & y);
    let union = layers.union(a, b, budget).unwrap();
    assert_eq!(words_of(&layers, union), x | y);
    let difference = layers.difference(a, b, budget).unwrap();
    assert_eq!(words_of(&layers, difference), x - y);
    assert_eq!(layers.is_subset(a, b, budget), Ok(x.is_subset(y)));
    assert_eq!(layers.count(a, budget), Ok(x.len() as u64));

    let concat = layers.concat(a, b, budget).unwrap();
    let pairs: Words = x.iter().flat_map(|u| y.iter().map(|v| [u.as_slice(), v].concat())).collect();
    assert_eq!(words_of(&layers, concat), pairs);
    for at in 0..=LENGTH {
        for count in 0..=LENGTH - at {
            let slice = layers.slice(a, at, count, budget).unwrap();
            let parts: Words = x.iter().map(|w| w[at..at + count].to_vec()).collect();
            assert_eq!(words_of(&layers, slice), parts);
            let cut = layers.cut(a, at, count, budget).unwrap();
            let rests: Words = x.iter().map(|w| [&w[..at], &w[at + count..]].concat()).collect();
            assert_eq!(words_of(&layers, cut), rests);
        }
        let inserted = layers.insert(a, at, b, budget).unwrap();
        let longer: Words =
            x.iter().flat_map(|u| y.iter().map(|v| [&u[..at], v.as_slice(), &u[at..]].concat())).collect();
        assert_eq!(words_of(&layers, inserted), longer);
    }
    for at in 0..LENGTH {
        let vowel = layers.single(Char::from(b'a')).unwrap();
        let with = layers.with_char(a, at, &vowel, budget).unwrap();
        assert_eq!(words_of(&layers, with), x.iter().filter(|w| w[at] == b'a').cloned().collect());
    }

    let word = |w: Option<&Vec<u8>>| w.map(|w| SmtString::from(chars(w)));
    assert_eq!(layers.least_word(a, budget).unwrap(), word(x.first()));
    assert_eq!(layers.greatest_word(a, budget).unwrap(), word(x.last()));
    let only = if x.len() == 1 { word(x.first()) } else { None };
    assert_eq!(layers.only_word(a, budget).unwrap(), only);

    // Infixes of two letters from the first two of each word of `y`.
    let short = layers.slice(b, 0, 2, budget).unwrap();
    let infixes = words_of(&layers, short);
    let automaton = layers.containing(short, budget).unwrap();
    let has = |w: &Vec<u8>| w.windows(2).any(|part| infixes.contains(part));
    let with = layers.restrict(a, &automaton, true, budget).unwrap();
    assert_eq!(words_of(&layers, with), x.iter().filter(|w| has(w)).cloned().collect());
    let without = layers.restrict(a, &automaton, false, budget).unwrap();
    assert_eq!(words_of(&layers, without), x.iter().filter(|w| !has(w)).cloned().collect());

    let with = layers.with_infix(a, short, u64::MAX, budget).unwrap().unwrap();
    assert_eq!(words_of(&layers, with), x.iter().filter(|w| has(w)).cloned().collect());
    let parts = layers.infixes_within(a, 0..=1, short, u64::MAX, budget).unwrap().unwrap();
    let windows = x.iter().flat_map(|w| w.windows(2)).map(<[u8]>::to_vec);
    assert_eq!(words_of(&layers, parts), windows.filter(|part| infixes.contains(part)).collect());
    // Infixes as long as the words, and the empty one.
    let both = layers.with_infix(a, b, u64::MAX, budget).unwrap();
    assert_eq!(both, Some(intersection));
    assert_eq!(layers.with_infix(a, Node::EPSILON, u64::MAX, budget), Ok(Some(a)));

    // `b` becomes `a`, which is there already: labels that become the same.
    let image = &mut |algebra: &A, set: &A::Set| {
        let b = algebra.of_ranges(&[(0x62, 0x62)])?;
        let rest = algebra.difference(set, &b)?;
        let has_b = !algebra.is_empty(&algebra.intersection(set, &b)?)?;
        if has_b { algebra.union(&rest, &algebra.of_ranges(&[(0x61, 0x61)])?) } else { Ok(rest) }
    };
    let mapped = layers.map(a, image, budget).unwrap();
    let images: Words =
        x.iter().map(|w| w.iter().map(|&c| if c == b'b' { b'a' } else { c }).collect()).collect();
    assert_eq!(words_of(&layers, mapped), images);
}

proptest! {
    #[test]
    fn ranges(x in set(), y in set()) {
        definitions(RangeAlgebra::new(Alphabet::Ascii), &x, &y);
    }

    #[test]
    fn bdds(x in set(), y in set()) {
        definitions(BddAlgebra::new(Alphabet::Unicode), &x, &y);
    }

    #[test]
    fn hash_sets(x in set(), y in set()) {
        definitions(HashSetAlgebra::new(Alphabet::Ascii), &x, &y);
    }
}

#[test]
fn an_expression_at_one_length() {
    let budget = Budget::unlimited();
    let mut layers = Layers::new(RangeAlgebra::new(Alphabet::Ascii));
    let letter = |c: u8| Regex::set(CharSet::single(Char::from(c)));
    let regex = Regex::concat([Regex::union([letter(b'a'), letter(b'b')]).star(), letter(b'b')]);
    let automaton = construct(layers.algebra(), &regex, &budget).unwrap();
    let automaton = eliminate(layers.algebra(), &automaton, &budget).unwrap();
    let any = layers.all_words(3).unwrap();
    let inside = layers.restrict(any, &automaton, true, &budget).unwrap();
    assert_eq!(words_of(&layers, inside), [&b"aab"[..], b"abb", b"bab", b"bbb"].map(<[u8]>::to_vec).into());
    let outside = layers.restrict(any, &automaton, false, &budget).unwrap();
    assert_eq!(layers.count(outside, &budget), Ok(128 * 128 * 128 - 4));
}

/// One known character in a part of many words takes few steps: whatever stands around it, it fits. Two at a
/// distance make the smallest automaton itself large, and the limit counts.
#[test]
fn parts_of_many_words_take_few_steps_or_are_left_out() {
    let budget = Budget::unlimited();
    let mut layers = Layers::new(RangeAlgebra::new(Alphabet::Ascii));
    let letters = layers.algebra().of_ranges(&[(0x20, 0x7E)]).unwrap();
    let (x, y) = (layers.word(&chars(b"x")).unwrap(), layers.word(&chars(b"y")).unwrap());
    let whole = layers.power(&letters, 60).unwrap();
    let mut power = |n| layers.power(&letters, n).unwrap();
    let (six, twenty) = (power(6), power(20));
    let one = layers.concat(twenty, x, &budget).unwrap();
    let one = layers.concat(one, six, &budget).unwrap();
    let with = layers.with_infix(whole, one, 20_000, &budget).unwrap().unwrap();
    // There is an `x` somewhere from place 20 to 53.
    let middle = layers.slice(with, 20, 34, &budget).unwrap();
    let before_x = layers.algebra().of_ranges(&[(0, 0x77)]).unwrap();
    let no_x = layers.power(&before_x, 34).unwrap();
    assert_eq!(layers.intersection(middle, no_x, &budget), Ok(Node::EMPTY));
    assert_eq!(layers.infixes_within(with, 0..=33, one, 20_000, &budget), Ok(Some(one)));
    let apart = layers.power(&letters, 12).unwrap();
    let two = layers.concat(x, apart, &budget).unwrap();
    let two = layers.concat(two, y, &budget).unwrap();
    assert_eq!(layers.with_infix(whole, two, 20_000, &budget), Ok(None));
    assert!(budget.steps() < 100_000, "{}", budget.steps());
}

#[test]
fn long_words_do_not_overflow_a_stack() {
    let budget = Budget::unlimited();
    let mut layers = Layers::new(RangeAlgebra::new(Alphabet::Ascii));
    let length = backends_automata::layered::MAX_LENGTH;
    let any = layers.all_words(length).unwrap();
    let word = layers.word(&vec![Char::from(b'x'); length]).unwrap();
    let inner = layers.word(&[Char::from(b'a'), Char::from(b'b')]).unwrap();
    let automaton = layers.containing(inner, &budget).unwrap();
    let with = layers.restrict(any, &automaton, true, &budget).unwrap();
    let without = layers.difference(any, with, &budget).unwrap();
    let joined = layers.union(word, with, &budget).unwrap();
    assert_eq!(layers.intersection(joined, without, &budget), Ok(word));
    let inner = layers.padded(3, inner, 4, &budget).unwrap();
    let around = layers.with_infix(any, inner, u64::MAX, &budget).unwrap().unwrap();
    let without = layers.difference(with, around, &budget).unwrap();
    assert!(!around.is_empty() && !without.is_empty());
    assert!(layers.all_words(length + 1).is_err());
}
