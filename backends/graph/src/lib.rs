//! String graphs: problems as labelled hypergraphs, preprocessing, the integer interchange.
//!
//! - [`edge`]: operations as hyperedges; [`linear`]: integer formulas; [`graph`]: the graph
//! - [`construct`]: from a problem to a graph
//! - [`solver`]: the integer solver and the string solver, as traits

pub mod construct;
pub mod edge;
pub mod graph;
pub mod linear;
pub mod solver;

pub use construct::Refusal;
pub use edge::{Edge, EdgeId, IntVertex, Relation, StringVertex, Vertex};
pub use graph::{IntDefinition, IntKind, StringGraph, StringKind};
pub use linear::{Comparison, IntFormula, Sum};
pub use solver::{
    FixedAnswer, FixedSolver, FixedSolvers, Guess, IntAnswer, IntValues, IntegerSolver, IntegerSolvers,
    Refutation,
};
