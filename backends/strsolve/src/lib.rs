//! Systems of regular constraints by a lazy search with backtracking: a word for each variable, or a
//! refutation.
//!
//! Source: Hooimeijer, *Decision Procedures for String Constraints*, chapter 4, whose prototype is StrSolve.
//!
//! - [`acceptor`]: automata of languages, and of complements, which are determinised as far as the search
//!   asks
//! - [`mod@graph`]: the follow graph (figure 4.2), and the order of variables that it gives
//! - [`explore`]: the states in which an occurrence of a variable may end, one after the other
//! - [`search`]: the search (figure 4.3); `solver`: a system from its automata to checked words; `boolean`:
//!   scripts that are no conjunction
//! - [`strategy`], [`family`]: the strategy, and its options
//!
//! Depends on automata over any algebra and on the loop for Boolean structure, never on another strategy.

pub mod acceptor;
mod boolean;
pub mod explore;
pub mod family;
pub mod graph;
pub mod search;
mod solver;
pub mod strategy;

pub use family::StrSolveFamily;
