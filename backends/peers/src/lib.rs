//! Public libraries as strategies, beside ours in the same run: what a reader could have had instead.
//!
//! Each gets the parsed expression in its own form, is used in the way that its documentation recommends for
//! the question, and shares between the operations of a batch what its interface lets one share.
//!
//! - [`regexsolver`]: the crate of this name, lazily (verdicts only) and eagerly (with a witness)
//! - [`smt_strings`]: `aws-smt-strings`, derivatives of hash-consed terms
//! - [`byte_automata`]: `regex-automata`, dense and lazy automata over UTF-8; the search of pairs is ours
//! - [`scalar`]: how code points become Unicode scalar values for libraries that know no others
//! - [`peer`]: what they have in common; [`family`]: their names and limits
//!
//! The libraries cannot be interrupted: a budget is looked at between operations and in our own loops only.

pub mod byte_automata;
pub mod family;
pub mod peer;
pub mod regexsolver;
pub mod scalar;
pub mod smt_strings;

pub use family::PeerFamily;
pub use peer::{Limits, Peer, PeerStrategy};
