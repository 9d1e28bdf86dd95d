//! Digits of numerals, as integers.
//!
//! Where `str.to_int` is asked of a word and of a character of it that stands a known number of places before
//! its end, the second is a digit of the first: `⌊i / 10^m⌋ - 10·⌊i / 10^(m+1)⌋`, if the word is a numeral that
//! has so many. Without that a solver that guesses numbers finds out by one guess after the other that the
//! digits of a number are not any digits.
//!
//! Source: ours.

use harness_model::int::Int;

use crate::edge::{IntVertex, Relation, StringVertex};
use crate::formula::IntFormula;
use crate::graph::{IntDefinition, StringGraph};
use crate::linear::Sum;
use crate::reasons::Reasons;

/// Digits further from the end are left to the guesses.
const MOST_DIGITS: i64 = 12;

/// Of more characters nothing is said.
const MOST_CHARACTERS: usize = 64;

impl StringGraph {
    /// Adds what the digits of numerals are. The solutions are the same. Cost: characters times numerals.
    pub fn relate_digits(&mut self) {
        let edges = self.edges().iter().enumerate().filter(|(_, edge)| edge.positive);
        let mut numerals: Vec<(StringVertex, IntVertex, usize)> = Vec::new();
        let mut characters: Vec<(StringVertex, IntVertex, StringVertex, usize)> = Vec::new();
        for (place, edge) in edges {
            if let Relation::ToInt { s, i } = edge.relation {
                numerals.push((s, i, place));
            } else if let Relation::At { s, i, r } = edge.relation {
                characters.push((s, i, r, place));
            }
        }
        characters.truncate(MOST_CHARACTERS);
        for (s, place, r, at) in characters {
            let Some(before_end) = self.before_end(s, place) else { continue };
            for &(_, digit, inner) in numerals.iter().filter(|(word, ..)| *word == r) {
                for &(_, whole, outer) in numerals.iter().filter(|(word, ..)| *word == s) {
                    self.relate_digit((s, whole), digit, before_end, [at, inner, outer]);
                }
            }
        }
    }

    /// How many characters stand between the place and the end of the word, if the place is the length less a
    /// number.
    fn before_end(&self, s: StringVertex, place: IntVertex) -> Option<i64> {
        let length = Sum::from(self.length_of(s)?);
        let defined = self.definitions().iter().find_map(|(vertex, definition)| match definition {
            IntDefinition::Sum(sum) if *vertex == place => Some(sum.clone()),
            IntDefinition::Sum(_)
            | IntDefinition::Choice(..)
            | IntDefinition::Quotient(..)
            | IntDefinition::Product(..)
            | IntDefinition::Ratio(..) => None,
        });
        let sum = defined.unwrap_or_else(|| self.sum_of(place));
        let after = length.sub(&sum).value()?.small()?.checked_sub(1)?;
        (0..MOST_DIGITS).contains(&after).then_some(after)
    }

    fn relate_digit(
        &mut self,
        (s, whole): (StringVertex, IntVertex),
        digit: IntVertex,
        before_end: i64,
        because: [usize; 3],
    ) {
        let Some(length) = self.length_of(s) else { return };
        let power = (0..before_end).fold(Int::from(1_i64), |power, _| power.mul(&Int::from(10_i64)));
        let ten = Int::from(10_i64);
        let value = self.sum_of(whole);
        let shifted = match before_end {
            0 => value.clone(),
            _ => Sum::from(self.defined_int(IntDefinition::Quotient(value.clone(), power.clone()))),
        };
        let rest = self.defined_int(IntDefinition::Quotient(value.clone(), power.mul(&ten)));
        let is_digit = self.sum_of(digit).eq(&shifted.sub(&Sum::from(rest).times(&ten)));
        let is_none = value.lt(&Sum::from(0_i64));
        let too_short = Sum::from(length).le(&Sum::from(before_end));
        let mut facts = Reasons::new();
        because.into_iter().for_each(|edge| facts.insert(edge));
        if let Some(sources) = self.sources_of(&facts) {
            self.hold_because(sources);
        }
        self.add_formula(IntFormula::or([is_none, too_short, is_digit]));
    }
}

#[cfg(test)]
mod tests {
    use harness_model::{Alphabet, SmtString};

    use super::*;
    use crate::edge::Edge;

    /// Words of digits and a letter: what is said of their digits is true.
    #[test]
    fn digits_are_those_of_the_number() {
        let mut words = vec![String::new()];
        for _ in 0..3 {
            let longer = words.iter().flat_map(|w| ["0", "3", "9", "x"].map(|c| format!("{w}{c}")));
            words = longer.chain(words.clone()).collect();
            words.sort();
            words.dedup();
        }
        assert_eq!(words.len(), 85);
        for before_end in 0..3_i64 {
            let mut graph = StringGraph::new(Alphabet::Ascii);
            let s = graph.declare_string("s");
            let length = graph.length(s);
            let place = graph.int_of(&Sum::from(length).sub(&Sum::from(before_end + 1)));
            let (r, whole, digit) = (graph.auxiliary(), graph.result_int(), graph.result_int());
            graph.add_edge(Edge::positive(Relation::At { s, i: place, r }));
            graph.add_edge(Edge::positive(Relation::ToInt { s, i: whole }));
            graph.add_edge(Edge::positive(Relation::ToInt { s: r, i: digit }));
            graph.add_lengths();
            graph.relate_digits();
            assert_eq!(graph.formulas().len(), 1);
            for word in &words {
                let of = |word: &str| -> Int {
                    let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
                    if digits { word.parse().unwrap() } else { Int::MINUS_ONE }
                };
                let character = usize::try_from(before_end)
                    .ok()
                    .and_then(|after| word.len().checked_sub(after + 1))
                    .map_or(String::new(), |place| word[place..=place].to_owned());
                let known = |vertex: IntVertex| -> Option<Int> {
                    if vertex == whole {
                        return Some(of(word));
                    }
                    if vertex == digit {
                        return Some(of(&character));
                    }
                    let length = SmtString::from(word.as_str()).len();
                    (graph.length_of(s) == Some(vertex)).then(|| Int::from(length))
                };
                let value = |vertex: IntVertex| -> Int {
                    let quotient = || {
                        graph.definitions().iter().find_map(|(other, definition)| match definition {
                            IntDefinition::Quotient(sum, by) if *other == vertex => {
                                sum.eval(|v| known(v).unwrap_or(Int::ZERO)).div(by)
                            }
                            IntDefinition::Quotient(..)
                            | IntDefinition::Sum(_)
                            | IntDefinition::Choice(..)
                            | IntDefinition::Product(..)
                            | IntDefinition::Ratio(..) => None,
                        })
                    };
                    known(vertex).or_else(quotient).unwrap_or(Int::ZERO)
                };
                assert!(graph.formulas()[0].eval(&value), "{word} {before_end}");
            }
        }
    }
}
