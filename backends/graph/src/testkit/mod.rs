//! For tests: an integer solver and a string solver that enumerate, random graphs, brute force.
//!
//! They are slow, plain and independent of what they test: words are judged by evaluation alone
//! ([`crate::evaluate`]), whose meanings are held against the judge's by a test of `backends-fold`.

pub mod integers;
pub mod random;
pub mod words;

pub use integers::EnumeratedIntegers;
pub use random::{Draw, brute_force, random_graph};
pub use words::EnumeratedWords;
