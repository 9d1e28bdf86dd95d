//! A sound rule for the whole graph: a numeral is not less than the numerals in it.
//!
//! If a word is a decimal numeral, any part of it is one too, or empty, and has no greater value: with
//! `w = u·p·v`, the value of `w` is that of `u` times a power of ten, plus that of `p` times another one, plus
//! that of `v`. So what `str.to_int` gives of `p`, which is -1 where `p` is empty, is at most what it gives of
//! `w`. Without the rule, a solver that guesses lengths meets each length with numbers of its own.
//!
//! Source: ours.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a rule concludes something from the relations that it names and nothing from others"
)]

use super::parts::Parts;
use super::view::View;
use crate::edge::{IntVertex, Relation, StringVertex};
use crate::formula::IntFormula;
use crate::linear::Sum;

/// The name of the rule: the counter that counts its applications.
pub const NAME: &str = "rule_numeral_of_part";

/// Of a graph with more numerals the others are left alone.
const MOST_NUMERALS: usize = 24;

/// What the edges imply of each two numerals. Cost: quadratic in the numerals, linear in the edges for each
/// pair.
pub fn apply(view: &View<'_>, parts: &Parts) -> Vec<IntFormula> {
    let numerals: Vec<(StringVertex, IntVertex)> = view
        .graph()
        .edges()
        .iter()
        .filter(|edge| edge.positive)
        .filter_map(|edge| match edge.relation {
            Relation::ToInt { s, i } => Some((s, i)),
            _ => None,
        })
        .take(MOST_NUMERALS)
        .collect();
    let mut all = Vec::new();
    for &(whole, value) in &numerals {
        for &(part, inner) in numerals.iter().filter(|&&(part, _)| part != whole) {
            if parts.contains(whole, part) {
                let (value, inner) = (view.int(value), view.int(inner));
                let is_numeral = Sum::from(0_i64).le(&value);
                let inside =
                    IntFormula::or([Sum::from(0_i64).le(&inner), view.len(part).le(&Sum::from(0_i64))]);
                let no_greater = IntFormula::and([inner.le(&value), inside]);
                all.push(IntFormula::or([is_numeral.negate(), no_greater]));
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use harness_model::int::Int;
    use harness_model::{Alphabet, SmtString};

    use super::*;
    use crate::edge::Edge;
    use crate::graph::StringGraph;

    fn value(word: &str) -> i64 {
        let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        if digits { word.parse().unwrap() } else { -1 }
    }

    /// All words of up to two characters before, in and after the part.
    #[test]
    fn a_numeral_is_not_less_than_its_parts() {
        let mut graph = StringGraph::new(Alphabet::Ascii);
        let [u, p, v] = ["u", "p", "v"].map(|name| graph.declare_string(name));
        let [front, whole] = [graph.auxiliary(), graph.auxiliary()];
        graph.add_edge(Edge::positive(Relation::Concat { a: u, b: p, r: front }));
        graph.add_edge(Edge::positive(Relation::Concat { a: front, b: v, r: whole }));
        let ints = [u, p, v, whole].map(|s| {
            let i = graph.result_int();
            graph.add_edge(Edge::positive(Relation::ToInt { s, i }));
            (s, i)
        });
        graph.add_lengths();
        let view = View::new(&graph);
        let formulas = apply(&view, &Parts::new(&view));
        assert_eq!(formulas.len(), 3);
        let mut words = vec![String::new()];
        for _ in 0..2 {
            let longer = words.iter().flat_map(|w| ["0", "1", "9", "a"].map(|c| format!("{w}{c}")));
            words = longer.chain(words.clone()).collect();
        }
        words.sort();
        words.dedup();
        assert_eq!(words.len(), 21);
        for u in &words {
            for p in &words {
                for v in &words {
                    let all = [u.clone(), p.clone(), v.clone(), format!("{u}{p}{v}")];
                    let number = |vertex: IntVertex| {
                        let of = |place: usize| {
                            let (s, i) = ints[place];
                            let word = SmtString::from(all[place].as_str());
                            if vertex == i {
                                Some(Int::from(value(&all[place])))
                            } else {
                                (graph.length_of(s) == Some(vertex)).then(|| Int::from(word.len()))
                            }
                        };
                        (0..4).find_map(of).unwrap_or(Int::ZERO)
                    };
                    assert!(formulas.iter().all(|formula| formula.eval(&number)), "{all:?}");
                }
            }
        }
    }
}
