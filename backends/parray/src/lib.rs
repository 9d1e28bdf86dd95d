//! Strings as parameterised arrays: symbolic lengths, symbolic indices, and quantified constraints on them.
//!
//! - [`formula`]: terms, formulas, and what holds of all indices of a range
//! - [`problem`]: constraints in the making
//! - [`encode`](mod@encode): operations of a string graph as constraints; [`shapes`]: simple regular languages
//! - [`solver`]: the solver of unquantified or quantified constraints, as a trait
//!
//! Source: PASS, section 3.

pub mod encode;
pub mod formula;
pub mod problem;
pub mod shapes;
pub mod solver;

pub use encode::encode;
pub use formula::{Body, Case, Cell, Forall, Formula, Term};
pub use problem::{ArrayKind, ArrayProblem};
pub use solver::{ArrayAnswer, ArraySolver, ArraySolvers};
