//! The strategies of the representation study (Hooimeijer, *Decision Procedures for String Constraints*,
//! chapter 3): products and differences of symbolic automata, eager and lazy, for each representation of
//! character sets.
//!
//! All of them are one generic [`SfaStrategy`]; an algebra is all that `sfa-bdd-lazy` and `sfa-ranges-lazy`
//! differ in. The algebras are the caller's, as an [`AlgebraList`](backends_algebra::AlgebraList). Must never
//! depend on another backend.
//!
//! - [`family`]: the options and the names
//! - [`strategy`]: the strategy and its phases
//! - [`options`]: eager or lazy, how to search, minterms

pub mod family;
pub mod options;
pub mod strategy;

pub use family::SfaFamily;
pub use options::{Mode, SfaOptions};
pub use strategy::SfaStrategy;
