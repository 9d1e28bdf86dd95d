//! SMT-LIB scripts in and out: text to [`harness_model::term::Terms`] and back.
//!
//! Nothing here recurses over the input, so nesting costs memory and no stack; every error has a line and a column.
//!
//! - [`lex`]: text to tokens, with matched parentheses
//! - [`literal`]: string literals of SMT-LIB 2.6 and of older dialects
//! - [`dialect`]: which of them a script is written in
//! - [`java`]: Java's string operations under the `java.` name space; [`lower`]: without them, for other solvers
//! - [`names`]: spellings of functions, old and new
//! - [`terms`]: tokens to terms
//! - [`script`]: commands, scopes, queries
//! - [`model`]: models in and out; [`reply`]: what a solver printed
//! - [`mod@print`]: terms and problems to text; [`excerpt`](mod@excerpt): pieces of a script for messages

pub mod dialect;
pub mod excerpt;
pub mod java;
pub mod lex;
pub mod literal;
pub mod lower;
pub mod model;
pub mod names;
pub mod print;
pub mod reply;
pub mod script;
pub mod terms;

pub use script::{Problem, Query, Script, read};

/// Where something is in a text, both from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

impl Position {
    /// The place of the byte at `offset`, at most the end of `text`. Linear in the text before it.
    pub fn at(text: &[u8], offset: usize) -> Self {
        let before = &text[..offset.min(text.len())];
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |n| n + 1);
        let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
        Self { line: count(line), column: count(column) }
    }
}

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
