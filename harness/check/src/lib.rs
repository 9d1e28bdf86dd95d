//! The trusted side: it decides whether a witness is right.
//!
//! Written from the definitions of the standard alone. A strategy must not use it, or an error in it would be
//! an error of the strategies and of the judge alike, which no comparison shows; brute force, the reference,
//! is the one exception.
//!
//! - [`matcher`]: is this word in the language of this expression?
//! - [`inclusion`]: are the words of one expression words of another?
//! - [`meaning`]: the functions on strings, one by one, and [`java`]: Java's operations
//! - [`eval`]: values of terms under an assignment; [`model`]: does a model satisfy a problem?

pub mod eval;
pub mod inclusion;
pub mod java;
pub mod matcher;
pub mod meaning;
pub mod model;

pub use eval::{EvalError, Evaluator};
pub use model::ModelVerdict;
