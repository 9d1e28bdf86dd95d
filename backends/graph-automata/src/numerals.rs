//! Numbers that words of one length in a language write, next to a number that none of them writes.
//!
//! Of numerals of one length the lexicographic order is that of their values. So when an integer is guessed
//! that no word of its vertex writes, the nearest words on both sides rule out all numbers between them, where
//! a guess alone would rule out one.

use backends_algebra::BooleanAlgebra;
use backends_api::{Budget, Stop};
use backends_automata::{Layers, Node};
use harness_model::int::Int;
use harness_model::{Char, SmtString};

/// The digits.
const DIGITS: (u32, u32) = (0x30, 0x39);

/// What the words of a language of one length write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Beside {
    /// The greatest number below the one that was asked for.
    pub below: Option<Int>,
    /// The least one above it.
    pub above: Option<Int>,
    /// Whether some word writes no number.
    pub others: bool,
}

/// What words of `language` write beside `value`, which is not negative; `None` if one of them writes it.
pub(crate) fn beside<A: BooleanAlgebra>(
    layers: &mut Layers<A>,
    language: Node,
    value: &Int,
    budget: &Budget,
) -> Result<Option<Beside>, Stop> {
    let length = layers.length(language);
    let digits = layers.algebra().of_ranges(&[DIGITS])?;
    let all = layers.power(&digits, length)?;
    let numerals = layers.intersection(language, all, budget)?;
    let others = numerals != language;
    let text = value.to_string();
    if text.len() > length {
        let below = layers.greatest_word(numerals, budget)?;
        return Ok(Some(Beside { below: below.as_ref().and_then(number), above: None, others }));
    }
    let mut word: Vec<Char> = vec![Char(DIGITS.0); length - text.len()];
    word.extend(text.bytes().map(|byte| Char(u32::from(byte))));
    if layers.contains(numerals, &word)? {
        return Ok(None);
    }
    let [less, more] = [true, false].map(|before| {
        let side = side(layers, &word, before)?;
        layers.intersection(numerals, side, budget)
    });
    let (below, above) = (layers.greatest_word(less?, budget)?, layers.least_word(more?, budget)?);
    let [below, above] = [below, above].map(|word| word.as_ref().and_then(number));
    Ok(Some(Beside { below, above, others }))
}

/// The words of as many digits before `word`, or after it.
fn side<A: BooleanAlgebra>(layers: &mut Layers<A>, word: &[Char], before: bool) -> Result<Node, Stop> {
    let digits = layers.algebra().of_ranges(&[DIGITS])?;
    let (mut node, mut rest) = (Node::EMPTY, Node::EPSILON);
    for &c in word.iter().rev() {
        let range = if before { (DIGITS.0, c.0.wrapping_sub(1)) } else { (c.0 + 1, DIGITS.1) };
        let mut parts = vec![(layers.single(c)?, node)];
        if range.0 <= range.1 {
            parts.push((layers.algebra().of_ranges(&[range])?, rest));
        }
        node = layers.node(parts)?;
        rest = layers.node(vec![(digits.clone(), rest)])?;
    }
    Ok(node)
}

fn number(word: &SmtString) -> Option<Int> {
    word.chars().iter().map(|c| char::from_u32(c.0)).collect::<Option<String>>()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use backends_algebra::RangeAlgebra;
    use backends_automata::AutomataContext;
    use harness_model::{Alphabet, CharSet, Regex};

    use super::*;

    #[test]
    fn numbers_beside_a_number_are_those_that_words_write() {
        let budget = Budget::unlimited();
        let algebra = RangeAlgebra::new(Alphabet::Ascii);
        let context = AutomataContext::new(&algebra, 10_000_000);
        let digit = |low: u32, high: u32| Regex::set(CharSet::range(Char(low), Char(high)));
        let word = |text: &str| Regex::literal(&text.into());
        let languages = [
            Regex::concat([digit(0x30, 0x36), Regex::union([word("68"), word("79").repeat(1, None)])])
                .repeat(1, None),
            digit(0x31, 0x37).star(),
            Regex::concat([digit(0x2f, 0x31).star(), word("5"), digit(0x30, 0x39).star()]),
            Regex::Empty,
        ];
        for language in &languages {
            let automaton = context.regex(language).unwrap();
            for (length, end) in [(1_usize, 10_u32), (2, 100), (3, 1_000)] {
                let mut layers = Layers::new(RangeAlgebra::new(Alphabet::Ascii));
                let any = layers.all_words(length).unwrap();
                let node = layers.restrict(any, &automaton, true, &budget).unwrap();
                if node.is_empty() {
                    continue;
                }
                let numbers: Vec<u32> = (0..end)
                    .filter(|n| {
                        let text: Vec<Char> =
                            format!("{n:0length$}").bytes().map(|b| Char(u32::from(b))).collect();
                        layers.contains(node, &text).unwrap()
                    })
                    .collect();
                for value in 0..1_010_u32 {
                    let found = beside(&mut layers, node, &Int::from(value), &budget).unwrap();
                    let int = |n: &u32| Int::from(*n);
                    if numbers.contains(&value) {
                        assert_eq!(found, None, "{language:?} {length} {value}");
                        continue;
                    }
                    let found = found.unwrap();
                    let below = numbers.iter().rfind(|n| **n < value).map(int);
                    let above = numbers.iter().find(|n| **n > value).map(int);
                    assert_eq!((found.below, found.above), (below, above), "{language:?} {length} {value}");
                }
            }
        }
    }
}
