//! Our own lazy strategy: symbol classes shared by all expressions of a question, position automata, and a
//! search of the product or the difference that builds only what it visits.
//!
//! Labels are compressed once to the few classes that the expressions tell apart ([`partition`]), so what
//! follows never sees a character and costs the same in every alphabet. An expression becomes its position
//! automaton ([`automaton`], [`glushkov`], with [`boolean`] for complement and intersection); counted
//! repetition is unrolled into nested options, so `x{n,m}` stays linear. A product walks pairs of positions
//! ([`intersection`]). A difference walks pairs of a position of the left and a state of the right
//! expression's subset automaton ([`subset`]), which is determinised on the fly and kept for the other
//! operations of the same question ([`difference`]). Both are graphs that [`search`] explores depth first,
//! breadth first or wholly; [`pairs`] remembers what was visited. [`strategy`] puts this behind the trait of
//! `backends-api`, [`family`] names its options.
//!
//! Nothing is ever decided by comparing terms, texts or addresses: `A` minus `A` is searched like any other
//! pair. The crate depends on no other backend and never on the trusted matcher, which checks it.

pub mod automaton;
pub mod boolean;
pub mod difference;
pub mod family;
pub mod glushkov;
pub mod intersection;
pub mod pairs;
pub mod partition;
pub mod search;
pub mod strategy;
pub mod subset;

pub use family::ClassesFamily;
pub use strategy::Classes;
