//! One propagation engine for string graphs: a language for each string vertex, narrowed by the rule of each
//! edge until nothing changes or a limit is reached.
//!
//! A backend brings two things. Its *lattice* ([`lattice`]) says what languages are and how they are
//! intersected: automata for words of every length, layered automata for words of one length. Its *rules*
//! ([`engine::Rules`]) say what an edge implies; they are those of a paper, and stay in the backend that
//! reproduces it. The engine has the rest: the worklist and its order, limits for each rule, and for each
//! language the facts that it depends on, so that a refutation names the edges that it needs.
//!
//! Must never: decide what an edge means (but for the transfer functions in [`transfer`], which several
//! backends share), or take a word away that a rule did not.
//!
//! - [`engine`]: narrowing, refuting, running to a fixed point; [`worklist`]: which edge is next
//! - [`lattice`]: languages as a lattice; [`lengths`]: what a language says of the lengths of its words
//! - [`transfer`]: transfer functions on automata that do not depend on a paper

pub mod engine;
pub mod lattice;
pub mod lengths;
pub mod transfer;
pub mod worklist;

pub use engine::{Change, Engine, Rules, State, settle};
pub use lattice::{LanguageLattice, LayerLattice, SfaLattice};
pub use lengths::LengthAbstraction;
pub use worklist::{Schedule, Worklist};
