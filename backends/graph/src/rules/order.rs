//! A sound rule for the whole graph: the order of words is one order.
//!
//! Edges say of words that one is before another or not after it; a prefix is not after its word; and
//! constants are ordered. Going from word to word along these, nobody comes back to where a step was strict,
//! nor both ways between two words that differ.
//!
//! Source: ours. The study has no order of words.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a rule concludes something from the relations that it names and nothing from others"
)]

use std::collections::{BTreeMap, VecDeque};

use backends_api::{Budget, Stop};

use super::view::View;
use crate::edge::{Relation, StringVertex};

/// The name of the rule: the counter that counts its applications.
pub const NAME: &str = "rule_order";

/// From a word to one that is not before it.
#[derive(Clone, Copy, Debug)]
struct Step {
    low: StringVertex,
    high: StringVertex,
    /// Whether they differ too.
    strict: bool,
    /// The edge that says so; none of two constants.
    edge: Option<usize>,
}

/// The places of edges that contradict each other by the order of words; `None` where nothing is found. Cost:
/// linear in the edges and constants, and one tick of the budget, for each strict step and each denied
/// equality.
pub fn contradiction(view: &View<'_>, budget: &Budget) -> Result<Option<Vec<usize>>, Stop> {
    let mut steps: Vec<Step> = Vec::new();
    let mut unequal: Vec<(StringVertex, StringVertex, usize)> = Vec::new();
    let mut any_order = false;
    for (place, edge) in view.graph().edges().iter().enumerate() {
        let mut add = |low, high, strict| steps.push(Step { low, high, strict, edge: Some(place) });
        match (&edge.relation, edge.positive) {
            (Relation::Less { s, t }, true) => add(*s, *t, true),
            (Relation::Less { s, t }, false) => add(*t, *s, false),
            (Relation::LessEqual { s, t }, true) => add(*s, *t, false),
            (Relation::LessEqual { s, t }, false) => add(*t, *s, true),
            (Relation::StartsWith { s, t }, true) => add(*t, *s, false),
            (Relation::Concat { a, r, .. }, _) => add(*a, *r, false),
            (Relation::Equal { a, b }, false) => unequal.push((*a, *b, place)),
            _ => {}
        }
        any_order |= matches!(edge.relation, Relation::Less { .. } | Relation::LessEqual { .. });
    }
    if !any_order {
        return Ok(None);
    }
    let ends = steps.iter().flat_map(|step| [step.low, step.high]);
    // In the order of the words: of two neighbours the first is before the second.
    let constants: BTreeMap<_, StringVertex> = ends.filter_map(|s| Some((view.word(s)?, s))).collect();
    let neighbours = constants.values().zip(constants.values().skip(1));
    steps.extend(neighbours.map(|(&low, &high)| Step { low, high, strict: true, edge: None }));
    let mut upwards: Vec<Vec<usize>> = vec![Vec::new(); view.graph().strings().len()];
    for (place, step) in steps.iter().enumerate() {
        upwards[step.low.index()].push(place);
    }
    let way = |low, high| way(&steps, &upwards, low, high);
    for step in steps.iter().filter(|step| step.strict) {
        budget.tick()?;
        if let Some(mut edges) = way(step.high, step.low) {
            edges.extend(step.edge);
            return Ok(Some(edges));
        }
    }
    for &(a, b, place) in &unequal {
        budget.tick()?;
        if let (Some(there), Some(back)) = (way(a, b), way(b, a)) {
            return Ok(Some([there, back, vec![place]].concat()));
        }
    }
    Ok(None)
}

/// The edges of a shortest way upwards from one word to another.
fn way(steps: &[Step], upwards: &[Vec<usize>], from: StringVertex, to: StringVertex) -> Option<Vec<usize>> {
    let mut came_by: Vec<Option<usize>> = vec![None; upwards.len()];
    let mut open = VecDeque::from([from]);
    let mut seen = vec![false; upwards.len()];
    seen[from.index()] = true;
    while let Some(vertex) = open.pop_front() {
        if vertex == to {
            let mut edges = Vec::new();
            let mut back = to;
            while let Some(place) = came_by[back.index()] {
                edges.extend(steps[place].edge);
                back = steps[place].low;
            }
            return Some(edges);
        }
        for &place in &upwards[vertex.index()] {
            let high = steps[place].high;
            if !std::mem::replace(&mut seen[high.index()], true) {
                came_by[high.index()] = Some(place);
                open.push_back(high);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use harness_model::Alphabet;

    use super::*;
    use crate::StringGraph;
    use crate::testkit::random::random_graph_of;
    use crate::testkit::{Draw, brute_force};

    fn contradicts(assertions: &str) -> Option<usize> {
        let declared = "(declare-const s String)(declare-const t String)(declare-const u String)";
        let script = harness_smtlib::read(format!("{declared}{assertions}(check-sat)").as_bytes()).unwrap();
        let graph = StringGraph::of_problem(&script.queries[0].problem, Alphabet::Ascii).unwrap();
        contradiction(&View::new(&graph), &Budget::unlimited()).unwrap().map(|edges| edges.len())
    }

    #[test]
    fn cycles_and_words_that_are_shut_in() {
        for (assertions, edges) in [
            ("(assert (str.< s t))(assert (str.< t s))", 2),
            ("(assert (str.< s s))", 1),
            ("(assert (str.< s t))(assert (str.<= t u))(assert (not (str.< s u)))", 3),
            ("(assert (str.<= s t))(assert (str.<= t s))(assert (not (= s t)))", 3),
            ("(assert (str.< s \"a\"))(assert (str.<= \"b\" s))", 2),
            ("(assert (str.prefixof s t))(assert (str.<= t u))(assert (str.< u s))", 3),
        ] {
            assert_eq!(contradicts(assertions), Some(edges), "{assertions}");
        }
        for satisfiable in [
            "(assert (str.<= s t))(assert (str.<= t s))",
            "(assert (str.< s t))(assert (str.< s u))(assert (not (= t u)))",
            "(assert (str.<= \"a\" s))(assert (str.<= s \"b\"))(assert (not (= s \"a\")))",
            "(assert (not (= s t)))(assert (not (= t s)))",
        ] {
            assert_eq!(contradicts(satisfiable), None, "{satisfiable}");
        }
    }

    /// Nothing with a solution among short words is refuted.
    #[test]
    fn no_solution_is_lost() {
        // Equality, prefix, both orders, concatenation.
        let kinds = [0, 1, 4, 4, 5, 5, 8];
        let mut refuted = 0;
        for seed in 0..3000 {
            let mut draw = Draw::new(seed);
            let edges = 2 + draw.below(3);
            let graph = random_graph_of(&mut draw, edges, &kinds);
            if contradiction(&View::new(&graph), &Budget::unlimited()).unwrap().is_some() {
                refuted += 1;
                assert!(!brute_force(&graph, 2), "seed {seed}");
            }
        }
        assert!(refuted > 50, "{refuted}");
    }
}
