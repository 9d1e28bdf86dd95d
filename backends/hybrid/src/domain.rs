//! The string domain: what the loop asks of it.

use backends_algebra::BooleanAlgebra;
use backends_api::{BackendError, Budget};
use backends_graph::{EdgeId, FixedSolvers, StringGraph};
use backends_graph_automata::{AutomataSolvers, Outline};
use harness_model::Alphabet;

/// A string solver that can say something without any number, and everything once all numbers are known.
pub trait StringDomain: FixedSolvers {
    /// What is known of the strings of `graph` whatever the numbers: everything said holds in every solution. The graph's
    /// string vertices all have length vertices.
    fn outline(&self, graph: &StringGraph, budget: &Budget) -> Result<Known, BackendError>;
}

/// What a string solver knows without numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// These edges have no solution.
    Refuted(Vec<EdgeId>),
    /// The least and, where there is one, the greatest length of each string vertex, by place.
    Lengths(Vec<(usize, Option<usize>)>),
}

impl<A, F> StringDomain for AutomataSolvers<F>
where
    A: BooleanAlgebra + 'static,
    F: Fn(Alphabet) -> A + Send + Sync,
{
    fn outline(&self, graph: &StringGraph, budget: &Budget) -> Result<Known, BackendError> {
        Ok(match Self::outline(self, graph, budget)? {
            Outline::Refuted(edges) => Known::Refuted(edges),
            Outline::Lengths(lengths) => Known::Lengths(lengths),
        })
    }
}
