//! String graphs as bit-vectors, once every length and every integer is fixed. Links no solver: see
//! [`solver`].
//!
//! - [`family`]: the family `graph-bitvector`, its options and names
//! - [`strategy`]: the modes, which say how edges are handed to a solver
//! - `search`: the search for words of guessed lengths; what a refutation names
//! - `encoding`: edges as formulas; `operations`: operations on words as formulas
//! - `words`: words of fixed lengths, and formulas that are folded where their words are known
//! - `derivatives`: automata of regular expressions
//! - [`solver`]: the traits of a solver of bit-vectors, implemented elsewhere

mod derivatives;
mod encoding;
pub mod family;
mod operations;
mod search;
pub mod solver;
pub mod strategy;
mod words;

pub use family::BitVectorFamily;
pub use solver::{BitVectorAnswer, BitVectorSession, BitVectorSolver, BitVectorSolvers, BitVectorTerms};
pub use strategy::{BitVectors, Mode, Refusals};
