//! Systems of regular constraints: `v1 · … · vn` is, or is not, in a regular language, for string variables
//! that constraints may share (Hooimeijer, *Decision Procedures for String Constraints*, figures 2.1 and
//! 4.1).
//!
//! Nothing here solves anything. Readers do not recurse over the input; every error has a line, a column and
//! what was expected.
//!
//! - [`system`]: the typed system, and [`document`]: what a text asks of systems
//! - [`language`]: its languages: expressions, or automata ([`automaton`]); [`eliminate`] makes expressions
//!   of these
//! - [`mod@dprle`]: DPRLE's files in and out
//! - [`mod@hampi`]: HAMPI's files in and out, with their grammars ([`grammar`]), which are bounded where
//!   they are not regular (`within`)
//! - [`smtlib`]: systems as problems of SMT-LIB, and problems of this form as systems
//! - [`lex`]: what the readers of both file formats have in common

pub mod automaton;
pub mod document;
pub mod dprle;
pub mod eliminate;
pub mod grammar;
pub mod hampi;
pub mod language;
pub mod lex;
pub mod smtlib;
pub mod system;
mod within;

pub use automaton::Automaton;
pub use document::{Document, Query, Request, RequestKind, read};
pub use language::Language;
pub use system::{Constraint, Definition, Piece, Relation, System, VariableId};

pub use harness_smtlib::{ErrorKind, ReadError};
