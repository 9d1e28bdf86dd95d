//! What automata alone say of a graph, without any integer guessed: that it has no solution, or between which
//! lengths the words of each vertex are.
//!
//! For loops other than the study's that exchange facts before they exchange values. Everything said here
//! holds in every solution; that nothing is refuted shows nothing.

use backends_algebra::BooleanAlgebra;
use backends_api::{BackendError, Budget, Stop};
use backends_graph::{EdgeId, StringGraph};
use backends_propagate::LengthAbstraction;
use backends_propagate::lengths::lengths;
use harness_model::Alphabet;

use crate::free::Free;
use crate::solver::AutomataSolvers;

impl<A: BooleanAlgebra, F: Fn(Alphabet) -> A + Send + Sync> AutomataSolvers<F> {
    /// Narrows a language for each string vertex of `graph` by every edge until little changes. Every string
    /// vertex has a length vertex. Where automata would become too large they are left as they are. Cost:
    /// some automata operations of limited size for each edge. `Unsupported` for constants with characters
    /// that the alphabet does not have.
    pub fn length_abstraction(
        &self,
        graph: &StringGraph,
        budget: &Budget,
    ) -> Result<LengthAbstraction, BackendError> {
        graph.refuse_foreign()?;
        let algebra = self.algebra(graph.alphabet());
        let run = || -> Result<LengthAbstraction, Stop> {
            let mut free = Free::new(graph, &algebra, self.free_limits(), budget, None)?;
            if let Some(core) = free.settle(None)? {
                return Ok(LengthAbstraction::Refuted(
                    core.below(graph.edges().len()).map(EdgeId::at).collect(),
                ));
            }
            let mut all = Vec::with_capacity(graph.strings().len());
            for language in &free.engine.state.languages {
                all.push(lengths(language, budget)?.unwrap_or((0, None)));
            }
            Ok(LengthAbstraction::Lengths(all))
        };
        match run() {
            Ok(known) => Ok(known),
            // The first automata are too large already, or cost too much: nothing is known.
            Err(Stop::Size { .. } | Stop::Steps(_)) => {
                Ok(LengthAbstraction::Lengths(vec![(0, None); graph.strings().len()]))
            }
            Err(stop) => Err(stop.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use backends_algebra::RangeAlgebra;
    use backends_graph::{Edge, Relation};
    use harness_model::{CharSet, Regex};
    use std::sync::Arc;

    fn abstraction(graph: &mut StringGraph) -> LengthAbstraction {
        graph.add_lengths();
        AutomataSolvers::free(RangeAlgebra::new).length_abstraction(graph, &Budget::unlimited()).unwrap()
    }

    #[test]
    fn lengths_are_those_of_the_languages() {
        let mut g = StringGraph::new(Alphabet::Ascii);
        let (s, t, u, empty) =
            (g.declare_string("s"), g.declare_string("t"), g.declare_string("u"), g.declare_string("v"));
        let digit = Regex::set(CharSet::from_ranges([(0x30, 0x39)]));
        let between = Regex::concat([digit.clone().repeat(2, Some(4)), Regex::literal(&"x".into())]);
        for (s, regex) in [(s, between), (t, digit.repeat(3, None)), (empty, Regex::literal(&"".into()))] {
            g.add_edge(Edge::positive(Relation::InRe { s, regex: Arc::new(regex) }));
        }
        g.add_edge(Edge::positive(Relation::Concat { a: s, b: t, r: u }));
        let LengthAbstraction::Lengths(lengths) = abstraction(&mut g) else { unreachable!() };
        let of = |v: backends_graph::StringVertex| lengths[v.index()];
        assert_eq!([of(s), of(t), of(u), of(empty)], [(3, Some(5)), (3, None), (6, None), (0, Some(0))]);
    }

    #[test]
    fn what_no_length_helps_is_refuted() {
        let mut g = StringGraph::new(Alphabet::Ascii);
        let (s, a, b) = (g.declare_string("s"), g.constant("a"), g.constant("b"));
        g.add_edge(Edge::positive(Relation::StartsWith { s, t: a }));
        g.add_edge(Edge::positive(Relation::StartsWith { s, t: b }));
        assert_eq!(abstraction(&mut g), LengthAbstraction::Refuted(vec![EdgeId::at(0), EdgeId::at(1)]));
    }
}
