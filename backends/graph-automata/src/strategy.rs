//! The strategies of this crate and their names.

use backends_algebra::BooleanAlgebra;
use backends_api::{Strategy, StrategyInfo};
use backends_graph::{GraphStrategy, IntegerSolvers, Options};
use harness_model::Alphabet;

use crate::solver::AutomataSolvers;

/// `graph-automata-NAME` over the algebra that `make` makes, with each of `options` (their suffixes are part of the name). The
/// integer solver is the caller's.
pub fn strategies_of<A, F, I>(make: &F, integers: &I, options: &[Options]) -> Vec<Box<dyn Strategy>>
where
    A: BooleanAlgebra + 'static,
    F: Fn(Alphabet) -> A + Clone + Send + Sync + 'static,
    I: IntegerSolvers + Clone + 'static,
{
    let strategy = |options: &Options| -> Box<dyn Strategy> {
        let info = StrategyInfo {
            name: format!("graph-automata-{}{}", A::NAME, options.suffix()),
            backend: "graph-automata",
            version: env!("CARGO_PKG_VERSION").to_owned(),
            summary: format!("string graph: automata over {} of guessed lengths, integers by Z3", A::NAME),
            source: "String graphs, section 3.6.1, table 3.2, figures 3.12 and 3.13",
        };
        Box::new(GraphStrategy::new(info, *options, AutomataSolvers::new(make.clone()), integers.clone()))
    };
    options.iter().map(strategy).collect()
}
