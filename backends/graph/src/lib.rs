//! String graphs: problems as labelled hypergraphs, preprocessing, the integer interchange.
//!
//! - [`relation`]: the operations, one row of a table each; [`edge`]: hyperedges; [`linear`]: integer
//!   formulas; [`graph`]: the graph
//! - [`construct`]: from a problem to a graph; [`to_problem`]: and back; [`evaluate`]: what is true of it
//! - [`simplify`], [`rules`]: preprocessing; [`options`]: what can be chosen
//! - [`interchange`]: the loop between integers and strings; [`solution`]: from what it finds to values of
//!   the original's variables
//! - [`strategy`]: all of it as a strategy
//! - [`draw`](mod@draw): pictures
//! - [`solver`]: the integer solver and the string solver, as traits

pub mod construct;
pub mod draw;
pub mod edge;
pub mod evaluate;
pub mod formula;
pub mod graph;
pub mod interchange;
pub mod linear;
pub mod options;
mod regex_text;
pub mod relation;
pub mod rules;
pub mod simplify;
pub mod solution;
pub mod solver;
pub mod strategy;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;
#[cfg(test)]
mod tests;
pub mod to_problem;

pub use backends_api::reasons;
pub use backends_boolean::{Decision, Unknowns};
pub use construct::Refusal;
pub use edge::{Edge, EdgeId, IntVertex, StringVertex, Vertex};
pub use evaluate::GraphEvaluator;
pub use formula::{Formula, IntFormula, Linear};
pub use graph::{IntDefinition, IntKind, StringGraph, StringKind};
pub use interchange::Solution;
pub use linear::{Comparison, Sum};
pub use options::{EdgeOrder, Options, RuleSet};
pub use relation::{Argument, Relation};
pub use solution::{Restoration, Values};
pub use solver::{
    FixedAnswer, FixedSolver, FixedSolvers, IntAnswer, IntAssignment, IntValues, IntegerSolver,
    IntegerSolvers, Refutation,
};
pub use strategy::{GraphSolver, GraphStrategy, SolverStrategy, decide, proved};
