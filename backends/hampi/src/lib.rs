//! Systems of regular constraints over one variable as formulas about the characters of a word of fixed
//! length, one length after the other.
//!
//! Source: Kiezun, Ganesh, Guo, Hooimeijer, Ernst, *HAMPI: A Solver for String Constraints*; compared in
//! Hooimeijer, *Decision Procedures for String Constraints*, chapter 4.
//!
//! - [`language`]: languages as a graph of nodes; [`question`]: what is asked, with grammars as written
//! - [`encode`]: unrolling for a length
//! - [`sat`]: a solver of bit-vectors on a SAT solver; others are the caller's
//! - [`strategy`], [`family`]: the strategy, and its options
//!
//! Depends on the traits of a solver of bit-vectors, never on another strategy.

pub mod encode;
pub mod family;
pub mod language;
pub mod question;
pub mod sat;
pub mod strategy;

pub use family::HampiFamily;
pub use sat::SatBits;
