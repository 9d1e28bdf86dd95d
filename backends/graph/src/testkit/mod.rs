//! For tests: an integer solver and a string solver that enumerate, random graphs, brute force.
//!
//! They are slow, plain and independent of what they test: words are judged by the trusted evaluator alone.

pub mod integers;
pub mod random;
pub mod words;

pub use integers::EnumeratedIntegers;
pub use random::{Draw, brute_force, random_graph};
pub use words::EnumeratedWords;
