//! Interval automata for string graphs: each string vertex has an automaton that accepts at least the words
//! of its solutions, narrowed by what the edges say, to a fixed point. What is left is searched for concrete
//! words, or told to array constraints.
//!
//! Must never: take a word or a number of a solution away, claim `unsat` for what a limit cut off, or answer
//! words under which the graph was not evaluated.
//!
//! - [`language`]: the automata and their operations; [`bounds`]: intervals of integers
//! - [`refine`]: values to a fixed point; `rules`: by what; [`relations`]: facts about pairs of vertices;
//!   [`analysis`]: both in turn
//! - [`search`]: concrete words; [`strategy`]: `automata-only`
//! - [`loops`]: automata as chains of characters and loops; [`to_arrays`]: as array constraints; [`arrays`]:
//!   `parray+automata` and its like
//! - [`family`]: options and names
//!
//! Source: Li and Ghosh, *PASS: String Solving with Parameterized Array and Interval Automaton*, section 4.

pub mod analysis;
pub mod arrays;
pub mod bounds;
pub mod family;
pub mod language;
pub mod loops;
pub mod refine;
pub mod relations;
mod rules;
pub mod search;
pub mod strategy;
#[cfg(test)]
mod testkit;
pub mod to_arrays;
pub mod words;

pub use arrays::ArraysWithAutomata;
pub use family::{ArraysWithAutomataFamily, AutomataOnlyFamily};
pub use strategy::{AutomataOnly, Preprocessing};
