//! Strings as parameterised arrays: symbolic lengths, symbolic indices, and quantified constraints on them.
//!
//! - [`formula`]: terms, formulas, and what holds of all indices of a range; [`problem`]: constraints in the
//!   making
//! - [`encode`](mod@encode): operations of a string graph as constraints; [`shapes`]: simple regular
//!   languages
//! - [`solver`]: the solver of unquantified or quantified constraints, as a trait
//! - [`index_set`], `instantiate`: index sets and instances; `eliminate`: algorithms 1 and 2, and quantifiers
//!   left to the solver; `concrete`: one guess of all lengths after the other
//! - [`candidate`]: what a model says, and the evaluator's word on it
//! - [`arrays`]: graphs and array constraints, solved; [`options`], [`family`]: what can be chosen, and names
//!
//! Source: PASS, section 3.

pub mod arrays;
pub mod candidate;
mod concrete;
mod eliminate;
pub mod encode;
pub mod family;
pub mod formula;
pub mod index_set;
mod instantiate;
pub mod options;
pub mod problem;
pub mod shapes;
pub mod solver;

pub use arrays::{Arrays, faithful};
pub use encode::encode;
pub use family::ParrayFamily;
pub use formula::{Body, Case, Cell, Forall, Formula, Term};
pub use options::{Method, Options};
pub use problem::{ArrayKind, ArrayProblem};
pub use solver::{ArrayAnswer, ArraySolver, ArraySolvers};
