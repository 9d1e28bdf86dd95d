//! Automata libraries of other languages as strategies: what the studies compared themselves with.
//!
//! A library runs in a program of ours (`programs/`), which `scripts/setup.sh --solvers` makes where the
//! library is installed. The program is given automata with epsilon moves as the representation study builds
//! them, so that no reader of expressions is compared, and does operations on them: all of that is in the
//! phase `prepare`, as is the start of the program. What is in `solve` beside the operation itself has phases
//! of its own.
//!
//! - [`family`]: the libraries as strategies
//! - [`strategy`]: automata in, answers out; phases and counters
//! - `program`: the program and what is said to it
//!
//! The libraries cannot be interrupted: the runner's limits are all that ends them.

pub mod family;
mod program;
pub mod strategy;

pub use family::DriverFamily;
pub use strategy::{Driver, Library, Results};
