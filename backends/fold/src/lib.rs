//! The concrete meanings of the theory's functions, as the strategies compute them: for constants, for the
//! truth of one edge of a graph, for the check of a model before it is answered.
//!
//! Nothing here is trusted, and nothing here may use `harness-check`, which judges what the strategies
//! answer: an error that both had would show nowhere. Where a function can be computed in two ways, this
//! crate takes the other one: occurrences by the prefix function, membership by derivatives, replacement by a
//! scan from the end. The test `differential` holds the two sides together.
//!
//! - [`matcher`]: membership; `words`: the functions on strings; [`apply`](mod@apply): a function on values
//! - [`evaluator`]: terms under an assignment; [`model`]: the check of a model
//! - [`failure`]: why there is no value; limits

pub mod apply;
pub mod evaluator;
pub mod failure;
pub mod matcher;
pub mod model;
mod words;

pub use apply::{Operand, Text, apply};
pub use evaluator::Evaluator;
pub use failure::{Failure, Limit, Limits};
pub use matcher::matches;
pub use model::{OwnCheck, check};
