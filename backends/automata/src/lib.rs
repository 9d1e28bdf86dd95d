//! Symbolic finite automata, generic over the algebra of their labels: every representation of character sets
//! runs the very same code, which is the point of the study that this crate reproduces (Hooimeijer, *Decision
//! Procedures for String Constraints*, chapter 3).
//!
//! Must never depend on a particular algebra, on strategies, or on the runner; and never uses the trusted
//! matcher, which exists to check it. Every loop ticks the budget; operations report what they did to a
//! [`Tally`].
//!
//! - [`sfa`]: the automata, with and without epsilon moves; [`builder`] makes them
//! - [`mod@construct`]: from an expression, by the construction whose sizes figure 3.7 shows; [`size`]
//!   refuses absurd counters
//! - [`epsilon`]: epsilon elimination; [`total`] and [`mod@trim`]: total and trim automata
//! - [`mod@intersection`] and [`mod@difference`]: eager and lazy; [`search`] has the order in which they look
//! - [`mod@determinize`]: determinisation and complement; [`mod@minimize`]: the smallest deterministic
//!   automaton
//! - [`witness`]: emptiness, shortest words, membership
//! - [`layered`]: languages of words of one length, as shared deterministic automata
//! - [`rational`]: union, concatenation, quotients
//! - `sets`: the algebra of sets as methods of [`Sfa`]; [`context`]: languages over one alphabet, within an
//!   allowance
//! - [`mod@dot`] makes pictures
//! - [`tally`]: what an operation did

mod arena;
pub mod builder;
pub mod construct;
pub mod context;
pub mod determinize;
pub mod difference;
pub mod dot;
pub mod epsilon;
pub mod intersection;
pub mod layered;
pub mod minimize;
pub mod rational;
pub mod search;
mod sets;
pub mod sfa;
pub mod size;
mod subsets;
pub mod tally;
pub mod total;
pub mod trim;
pub mod witness;

pub use builder::SfaBuilder;
pub use construct::construct;
pub use context::AutomataContext;
pub use determinize::{complement, determinize};
pub use difference::{difference, difference_witness};
pub use epsilon::eliminate;
pub use intersection::{intersection, intersection_witness};
pub use layered::{Layers, Node};
pub use minimize::minimize;
pub use search::{Order, Search};
pub use sfa::{EpsilonSfa, LabelId, Move, Sfa, StateId};
pub use tally::Tally;
pub use total::make_total;
pub use trim::trim;
pub use witness::{accepts, is_empty, shortest_word};
