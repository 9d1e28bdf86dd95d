//! The string domain: what the loop asks of it.

use backends_algebra::BooleanAlgebra;
use backends_api::{BackendError, Budget};
use backends_graph::{FixedSolvers, StringGraph};
use backends_graph_automata::AutomataSolvers;
use backends_propagate::LengthAbstraction;
use harness_model::Alphabet;

/// A string solver that can say something without any number, and everything once all numbers are known.
pub trait StringDomain: FixedSolvers {
    /// What is known of the strings of `graph` whatever the numbers: everything said holds in every solution.
    /// The graph's string vertices all have length vertices.
    fn length_abstraction(
        &self,
        graph: &StringGraph,
        budget: &Budget,
    ) -> Result<LengthAbstraction, BackendError>;
}

impl<A, F> StringDomain for AutomataSolvers<F>
where
    A: BooleanAlgebra + 'static,
    F: Fn(Alphabet) -> A + Send + Sync,
{
    fn length_abstraction(
        &self,
        graph: &StringGraph,
        budget: &Budget,
    ) -> Result<LengthAbstraction, BackendError> {
        Self::length_abstraction(self, graph, budget)
    }
}
