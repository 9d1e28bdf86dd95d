//! Boolean structure for strategies that decide conjunctions, the same for all of them.
//!
//! A strategy gives [`Conjunctions`]: it decides problems whose assertions are literals. [`solve`] asks it
//! about one implicant of the problem's structure after the other, and learns from what it refutes.
//!
//! - [`guards`]: structure that the assertions decide themselves
//! - [`abstraction`]: the rest as structure over atoms; [`skeleton`]: that structure; `language`: membership
//!   in languages that depend on terms
//! - [`clauses`]: the structure as clauses of a SAT solver; `constants`: what equations with constants say of
//!   other atoms
//! - [`search`]: the loop; `parts`: literals that share variables; `shrink`: smaller refutations

pub mod abstraction;
pub mod clauses;
mod constants;
pub mod guards;
mod language;
mod parts;
pub mod search;
mod shrink;
pub mod skeleton;

pub use abstraction::Abstraction;
pub use search::{Conjunctions, Decision, Unknowns, literals, solve};
