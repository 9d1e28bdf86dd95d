//! Places in constant words, bounded.
//!
//! `str.at`, `str.substr`, `str.indexof` and Java's `lastIndexOf` are total: what is negative is as good as
//! -1 for them, as a place and as a number of characters, and what is greater than one more than the length
//! of their word as good as that. In a constant word these are finitely many numbers. Without them a solver
//! that guesses numbers tries one place beyond the end after the other, as nothing says that all of them are
//! alike.
//!
//! Source: ours.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "only the relations that are named have places, all others stay as they are"
)]

use harness_model::int::Int;

use crate::edge::{IntVertex, Relation, StringVertex};
use crate::formula::IntFormula;
use crate::graph::{IntDefinition, StringGraph};
use crate::linear::Sum;

impl StringGraph {
    /// Puts a number from -1 to one more than the length in the stead of each place in a constant word, and
    /// of each number of characters of it. The solutions are the same. Cost: linear in the edges.
    pub fn bound_places(&mut self) {
        for number in 0..self.edges().len() {
            let relation = &self.edges()[number].relation;
            let places: Vec<IntVertex> = match *relation {
                Relation::At { i, .. } => vec![i],
                Relation::Substr { from, count, .. } => vec![from, count],
                Relation::IndexOf { from, .. } | Relation::LastIndexOf { from, .. } => vec![from],
                _ => continue,
            };
            let Some(length) = relation.strings().next().and_then(|s| self.word(s)).map(|word| word.len())
            else {
                continue;
            };
            for place in places {
                let sum = self.sum_of(place);
                if sum.value().is_some() {
                    continue;
                }
                let bounded = self.bounded(&sum, length);
                self.put_at_place(number, place, bounded);
            }
        }
    }

    fn bounded(&mut self, sum: &Sum, length: usize) -> IntVertex {
        let (before, beyond) = (Sum::from(Int::MINUS_ONE), Sum::from(length + 1));
        let is_before: IntFormula = sum.lt(&Sum::from(0_i64));
        let most = self.defined_int(IntDefinition::Choice(beyond.lt(sum), beyond, sum.clone()));
        self.defined_int(IntDefinition::Choice(is_before, before, Sum::from(most)))
    }

    /// Replaces a place of an edge; the result of the edge stays.
    fn put_at_place(&mut self, number: usize, old: IntVertex, new: IntVertex) {
        let put = |vertex: IntVertex| if vertex == old { new } else { vertex };
        let same = |s: StringVertex| s;
        let edge = &self.edges()[number];
        let relation = match edge.relation.clone() {
            // A result that is the place too stays what it is.
            Relation::IndexOf { s, t, from, i } => Relation::IndexOf { s, t, from: put(from), i },
            Relation::LastIndexOf { s, t, from, i } => Relation::LastIndexOf { s, t, from: put(from), i },
            other => other.map(same, put),
        };
        self.replace_relation(number, relation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::GraphEvaluator;
    use crate::testkit::Draw;
    use crate::testkit::random::{each_assignment, random_graph_of};

    /// Random graphs, and the same ones over constant words, have the same solutions afterwards.
    #[test]
    fn solutions_are_the_same() {
        let mut changed = 0;
        for seed in 0..2000 {
            let mut draw = Draw::new(seed);
            let mut graph = random_graph_of(&mut draw, 2, &[10, 11, 12, 13]);
            let word = graph.constant(["", "a", "ab", "aba"][draw.below(4)]);
            for number in 0..graph.edges().len() {
                let source = graph.edges()[number].relation.strings().next();
                if draw.below(2) == 0 {
                    let to_word = |s: StringVertex| if Some(s) == source { word } else { s };
                    let relation = graph.edges()[number].relation.map(to_word, |i| i);
                    graph.replace_relation(number, relation);
                }
            }
            let mut bounded = graph.clone();
            bounded.bound_places();
            changed += u32::from(bounded.definitions().len() > graph.definitions().len());
            let (old, new) = (graph.to_problem(), bounded.to_problem());
            let mut evaluator = GraphEvaluator::new(&new, bounded.alphabet());
            assert_eq!(old.variables.len(), new.variables.len());
            each_assignment(&graph, 2, &mut |values, holds| {
                assert_eq!(evaluator.holds(values), Ok(holds), "seed {seed} {values:?}");
            });
        }
        assert!(changed > 300, "{changed}");
    }
}
