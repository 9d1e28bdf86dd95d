//! String graphs solved by automata, over each algebra of labels.
//!
//! Source: the automaton-based solver of Redelinghuys, *Symbolic String Execution* ("the study"), section
//! 3.6.1: a language for each string vertex, narrowed by the transfer function of each edge (table 3.2) until
//! nothing changes (figure 3.12). A fixed point of transfer functions is not yet a solution: words that fit
//! each edge need not fit together. So a search follows that is complete where the study's figure 3.13 is
//! not.
//!
//! Must never: know an integer solver, or answer `Unsat` for what only the first words of a language showed.
//!
//! - [`solver`]: the string solver of the interchange; [`family`]: options and names;
//!   [`limits`]: limits among the options
//! - `propagator`: languages, edges, the worklist; `context`: what a transfer function sees
//! - `affix`, `index`, `order`, `replace`, `replace_all`, `letters`, `number`: the transfer functions, by
//!   group
//! - `free`, `free_transfer`: languages of words of any length, for refutations that need no or few integers
//! - [`length_abstraction`]: what they say without a guess, for other loops
//! - `search`: from a fixed point to words, or to the edges that exclude them
//! - `cases`: replacements by cases, each asked whether these languages refute it
//! - `equations`: equations of words within these languages, without a guess; `thin`: languages whose words
//!   their lengths decide
//! - `numerals`: numbers that words of one length write, next to one that none writes
//! - `cells`: equal characters at fixed lengths, which languages do not see
//! - `first_words`: figure 3.13 in its place, for the strategies that are as published

mod affix;
mod cases;
mod cells;
mod context;
mod equations;
pub mod family;
mod first_words;
mod free;
mod free_transfer;
mod index;
pub mod length_abstraction;
mod letters;
pub mod limits;
mod number;
mod numerals;
mod order;
mod propagator;
mod replace;
mod replace_all;
mod search;
pub mod solver;
#[cfg(test)]
mod tests;
mod thin;
mod transfer;

pub use family::GraphAutomataFamily;
pub use limits::{ExplainLimits, FreeLimits, PartLimits};
pub use solver::{AutomataSolvers, Negatives, Refusals};
