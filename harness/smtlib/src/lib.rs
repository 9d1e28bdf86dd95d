//! SMT-LIB scripts in and out: text to [`harness_theory::Terms`] and back.
//!
//! Nothing here recurses over the input, so nesting costs memory and no stack; every error has a line and a
//! column.
//!
//! - [`lex`]: text to tokens, with matched parentheses
//! - [`literal`]: string literals of SMT-LIB 2.6 and of older dialects
//! - [`dialect`]: which of them a script is written in
//! - [`names`]: spellings of functions, old and new
//! - [`terms`]: tokens to terms; [`sorts`]: sorts and names for them
//! - [`functions`]: functions without a definition, and arrays, become constants
//! - [`languages`]: variables of sort `RegLan` that are defined, or that words are only asked to be in
//! - [`recursion`]: recursive definitions that have a meaning without recursion
//! - [`foreign`]: arrays, bit-vectors and floating-point numbers; [`numbers`]: the latter two as integers
//! - [`script`]: commands, scopes, queries; [`tree`]: scripts that are the branching tree of a program;
//!   [`utf8`]: literals with characters as UTF-8
//! - [`model`]: models in and out; [`ground`]: models with tables of functions, in; [`tables`]: out;
//!   [`reply`]: what a solver printed
//! - [`mod@print`]: terms and problems to text; [`excerpt`](mod@excerpt): pieces of a script for messages

pub mod dialect;
pub mod excerpt;
pub mod foreign;
pub mod functions;
pub mod ground;
pub mod languages;
pub mod lex;
pub mod literal;
pub mod model;
pub mod names;
pub mod numbers;
pub mod print;
pub mod recursion;
pub mod reply;
pub mod script;
pub mod sorts;
pub mod tables;
pub mod terms;
pub mod tree;
pub mod utf8;

pub use script::{read, read_in};

use harness_theory::Position;

/// What kind of refusal it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The script is not legal: syntax, sorts, scopes.
    Illegal,
    /// The script is legal, but uses what is not built here.
    Unsupported,
}

/// Why a script cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {} column {}: {message}", position.line, position.column)]
pub struct ReadError {
    /// Where.
    pub position: Position,
    /// Whose fault.
    pub kind: ErrorKind,
    /// What is wrong.
    pub message: String,
}
