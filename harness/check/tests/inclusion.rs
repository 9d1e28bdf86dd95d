//! Inclusion and equivalence against the matcher on all short words, on random expressions, and on laws.

use harness_check::inclusion::{Inclusion, equivalence, inclusion};
use harness_check::matcher::matches;
use harness_model::{Alphabet, CharSet, Regex, SmtString};
use proptest::prelude::*;

/// Enough for every expression below.
const LIMIT: u64 = 1 << 24;

fn letters(from: char, to: char) -> Regex {
    Regex::set(CharSet::from_ranges([(u32::from(from), u32::from(to))]))
}

fn word(text: &str) -> Regex {
    Regex::literal(&SmtString::from(text))
}

/// All words over a, b and c of up to `length` characters, short ones first. What is none of these letters
/// behaves as c does in [`expressions`].
fn words(length: usize) -> Vec<SmtString> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..length {
        let to = all.len();
        for i in from..to {
            for letter in ['a', 'b', 'c'] {
                all.push(format!("{}{letter}", all[i]));
            }
        }
        from = to;
    }
    all.into_iter().map(|text| SmtString::from(text.as_str())).collect()
}

/// Expressions over a, b and the rest of the characters.
fn expressions() -> impl Strategy<Value = Regex> {
    let rest = CharSet::from_ranges([(0, 0x60), (0x63, 0x2_FFFF)]);
    let leaf = prop_oneof![
        1 => Just(Regex::Empty),
        1 => Just(Regex::Epsilon),
        3 => Just(letters('a', 'a')),
        3 => Just(letters('b', 'b')),
        2 => Just(letters('a', 'b')),
        1 => Just(Regex::set(rest)),
        1 => Just(Regex::set(CharSet::full(Alphabet::Unicode))),
    ];
    leaf.prop_recursive(4, 16, 3, |inner| {
        let parts = proptest::collection::vec(inner.clone(), 0..=3);
        prop_oneof![
            4 => parts.clone().prop_map(Regex::concat),
            3 => parts.clone().prop_map(Regex::union),
            1 => parts.prop_map(|parts| Regex::Inter(parts.into())),
            1 => inner.clone().prop_map(|inner| Regex::Complement(inner.into())),
            3 => (inner, 0_u32..3, proptest::option::of(0_u32..4))
                .prop_map(|(inner, min, max)| inner.repeat(min, max)),
        ]
    })
}

fn agrees(left: &Regex, right: &Regex) -> Result<(), TestCaseError> {
    let only_left = |word: &SmtString| matches(left, word) && !matches(right, word);
    let shortest = words(4).into_iter().find(only_left);
    match inclusion(left, right, Alphabet::Unicode, LIMIT) {
        Inclusion::Holds => prop_assert_eq!(shortest, None),
        Inclusion::Fails(word) => {
            prop_assert!(only_left(&word), "{word:?} refutes nothing");
            let least = shortest.map_or(5, |shortest| shortest.len());
            prop_assert!(if least < 5 { word.len() == least } else { word.len() >= least }, "{word:?}");
        }
        Inclusion::Undecided => return Err(TestCaseError::reject("too large")),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn agrees_with_the_matcher(left in expressions(), right in expressions()) {
        agrees(&left, &right)?;
        agrees(&left, &Regex::union([right.clone(), left.clone()]))?;
        agrees(&Regex::Complement(left.into()), &right)?;
    }

    #[test]
    fn laws_hold(r in expressions(), s in expressions()) {
        let not = |regex: &Regex| Regex::Complement(regex.clone().into());
        let both = |one: &Regex, other: &Regex| Regex::Inter([one.clone(), other.clone()].into());
        let then = |parts: &[&Regex]| Regex::concat(parts.iter().map(|&part| part.clone()));
        let or = |one: &Regex, other: &Regex| Regex::union([one.clone(), other.clone()]);
        let laws = [
            ("de Morgan", not(&or(&r, &s)), both(&not(&r), &not(&s))),
            ("star of a union", or(&r, &s).star(), then(&[&r.clone().star(), &s.clone().star()]).star()),
            ("counted", r.clone().repeat(2, Some(3)), or(&then(&[&r, &r]), &then(&[&r, &r, &r]))),
            ("unrolled", r.clone().repeat(1, None), then(&[&r, &r.clone().star()])),
            ("distribution", then(&[&or(&r, &s), &r]), or(&then(&[&r, &r]), &then(&[&s, &r]))),
            ("excluded middle", or(&r, &not(&r)), Regex::set(CharSet::full(Alphabet::Unicode)).star()),
        ];
        for (name, one, other) in laws {
            match equivalence(&one, &other, Alphabet::Unicode, LIMIT) {
                Inclusion::Holds => {}
                Inclusion::Undecided => return Err(TestCaseError::reject("too large")),
                Inclusion::Fails(word) => prop_assert!(false, "{name}: {word:?}"),
            }
        }
    }
}

#[test]
fn both_sides_may_be_nondeterministic() {
    let (a, b) = (letters('a', 'a'), letters('b', 'b'));
    let any = letters('a', 'b').star();
    let nested = Regex::concat([any.clone(), a.clone(), letters('a', 'b').repeat(6, Some(6))]);
    let swapped = Regex::concat([any.clone(), Regex::union([a, b.clone()]), any.clone()]);
    assert_eq!(inclusion(&nested, &swapped, Alphabet::Ascii, LIMIT), Inclusion::Holds);
    let Inclusion::Fails(found) = inclusion(&swapped, &nested, Alphabet::Ascii, LIMIT) else { panic!() };
    assert_eq!(found.len(), 1);
    // Seven letters from the end there is an a, or there is a b, or the word is shorter.
    let short = letters('a', 'b').repeat(0, Some(6));
    let other = Regex::concat([any.clone(), b, letters('a', 'b').repeat(6, Some(6))]);
    let all = Regex::union([nested, other, short]);
    assert_eq!(equivalence(&all, &any, Alphabet::Ascii, LIMIT), Inclusion::Holds);
}

#[test]
fn the_alphabet_decides() {
    let latin = letters('\0', '\u{FF}').star();
    let ascii = letters('\0', '\u{7F}').star();
    assert_eq!(inclusion(&latin, &ascii, Alphabet::Ascii, LIMIT), Inclusion::Holds);
    let found = inclusion(&latin, &ascii, Alphabet::Latin1, LIMIT);
    assert_eq!(found, Inclusion::Fails(SmtString::from("\u{80}")));
    let all = Regex::Complement(Regex::Empty.into());
    assert_eq!(equivalence(&all, &ascii, Alphabet::Ascii, LIMIT), Inclusion::Holds);
}

#[test]
fn a_word_that_refutes_is_a_shortest_one() {
    let left = letters('a', 'a').star();
    let right = letters('a', 'a').repeat(0, Some(41));
    let expected = Inclusion::Fails(SmtString::from("a".repeat(42).as_str()));
    assert_eq!(inclusion(&left, &right, Alphabet::Unicode, LIMIT), expected);
    assert_eq!(equivalence(&left, &right, Alphabet::Unicode, LIMIT), expected);
    assert_eq!(equivalence(&right, &left, Alphabet::Unicode, LIMIT), expected);
}

#[test]
fn limits_are_values() {
    let any = letters('a', 'b').star();
    let (a, counted) = (letters('a', 'a'), |times| letters('a', 'b').repeat(times, Some(times)));
    let whole = Regex::concat([any.clone(), a.clone(), counted(40)]);
    let parts = Regex::concat([any, a, counted(20), counted(20)]);
    assert_eq!(inclusion(&whole, &parts, Alphabet::Ascii, 100_000), Inclusion::Undecided);
    assert_eq!(equivalence(&whole, &parts, Alphabet::Ascii, 100_000), Inclusion::Undecided);
}

/// As a reader makes them of a long text: no recursion over the parts.
#[test]
fn long_concatenations_are_no_deep_ones() {
    let text = "ab".repeat(50_000);
    let long = word(&text);
    let pairs = word("ab").star();
    assert_eq!(inclusion(&long, &pairs, Alphabet::Unicode, LIMIT), Inclusion::Holds);
    let optional = Regex::concat(vec![letters('a', 'a').repeat(0, Some(1)); 2_000]);
    let counted = letters('a', 'a').repeat(0, Some(2_000));
    assert_eq!(inclusion(&optional, &letters('a', 'a').star(), Alphabet::Ascii, LIMIT), Inclusion::Holds);
    assert_eq!(inclusion(&counted, &letters('a', 'b').star(), Alphabet::Ascii, LIMIT), Inclusion::Holds);
}
