//! Strings as parameterised arrays: symbolic lengths, symbolic indices, and quantified constraints on them.
//!
//! - [`formula`]: terms, formulas, and what holds of all indices of a range
//! - [`problem`]: constraints in the making
//!
//! Source: PASS, section 3.

pub mod formula;
pub mod problem;

pub use formula::{Body, Case, Cell, Forall, Formula, Term};
pub use problem::{ArrayKind, ArrayProblem};
