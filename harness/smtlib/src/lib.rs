//! SMT-LIB scripts in and out: text to [`harness_model::term::Terms`] and back.
//!
//! Nothing here recurses over the input, so nesting costs memory and no stack; every error has a line and a column.
//!
//! - [`lex`]: text to tokens, with matched parentheses
//! - [`literal`]: string literals of SMT-LIB 2.6 and of older dialects
//! - [`dialect`]: which of them a script is written in
//! - [`java`]: Java's string operations under the `java.` name space; [`lower`]: without them, for other solvers
//! - [`rounding`]: ways of rounding decimals as linear integer arithmetic
//! - [`names`]: spellings of functions, old and new
//! - [`terms`]: tokens to terms
//! - [`script`]: commands, scopes, queries; [`tree`]: scripts that are the branching tree of a program
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
pub mod rounding;
pub mod script;
pub mod terms;
pub mod tree;

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
        Self { line: 1, column: 1 }.after(&text[..offset.min(text.len())])
    }

    /// The place after `text`, which begins here.
    fn after(self, text: &[u8]) -> Self {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let characters = |text: &[u8]| count(String::from_utf8_lossy(text).chars().count());
        match text.iter().rposition(|&b| b == b'\n') {
            None => Self { line: self.line, column: self.column.saturating_add(characters(text)) },
            Some(last) => {
                let lines = count(text[..=last].iter().filter(|&&b| b == b'\n').count());
                let column = characters(&text[last + 1..]).saturating_add(1);
                Self { line: self.line.saturating_add(lines), column }
            }
        }
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
