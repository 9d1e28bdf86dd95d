//! The strategies of this crate and their names.

use backends_algebra::BooleanAlgebra;
use backends_api::{Strategy, StrategyInfo};
use backends_graph::{GraphStrategy, IntegerSolvers, Options};
use harness_model::Alphabet;

use crate::solver::AutomataSolvers;

/// `graph-automata-NAME` over the algebra that `make` makes, with each of `options` (their suffixes are part
/// of the name), and `graph-automata-free-NAME` with the default options. The integer solver is the caller's.
pub fn strategies_of<A, F, I>(make: &F, integers: &I, options: &[Options]) -> Vec<Box<dyn Strategy>>
where
    A: BooleanAlgebra + 'static,
    F: Fn(Alphabet) -> A + Clone + Send + Sync + 'static,
    I: IntegerSolvers + Clone + 'static,
{
    let info = |kind: &str, summary: &str, options: &Options| StrategyInfo {
        name: format!("graph-automata{kind}-{}{}", A::NAME, options.suffix()),
        backend: "graph-automata",
        version: env!("CARGO_PKG_VERSION").to_owned(),
        summary: format!(
            "string graph: automata over {}{summary}, integers by Z3{}",
            A::NAME,
            options.summary()
        ),
        source: "Redelinghuys, Symbolic String Execution, section 3.6.1, table 3.2, figures 3.12 and 3.13",
    };
    let mut all: Vec<Box<dyn Strategy>> = Vec::new();
    for options in options {
        let solvers = AutomataSolvers::new(make.clone());
        let info = info("", " of guessed lengths", options);
        all.push(Box::new(GraphStrategy::new(info, *options, solvers, integers.clone())));
    }
    let options = Options::default();
    let solvers = AutomataSolvers::free(make.clone());
    let info = info("-free", " of every length, then of guessed lengths", &options);
    all.push(Box::new(GraphStrategy::new(info, options, solvers, integers.clone())));
    all
}
