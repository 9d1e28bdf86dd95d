//! HAMPI's files: one variable whose length is bounded, expressions, grammars, and what must hold.
//!
//! - `parse`: text to [`File`], which has grammars as they are written
//! - `lower`: files to systems, with grammars that are not regular within the bounds of the file
//! - `write`: systems of one variable to files

mod lower;
mod parse;
mod write;

use std::sync::Arc;

use harness_model::{Alphabet, CharSet, SmtString};
use harness_theory::Position;

use crate::ReadError;
use crate::document::{Document, Query};
use crate::grammar::{Grammar, RuleId};

pub use lower::{Languages, Segments, lower, lower_with};
pub use parse::parse;
pub use write::write;

/// A file as it is written. The names in it are those of what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The variable.
    pub variable: Variable,
    /// All `cfg` statements.
    pub grammar: Grammar,
    /// The parts of all `reg` statements; parts come before what they are parts of.
    pub nodes: Vec<Node>,
    /// The `reg` statements: names and places in `nodes`.
    pub languages: Vec<(String, usize)>,
    /// The `val` statements.
    pub values: Vec<(String, Vec<Part>)>,
    /// What must hold.
    pub assertions: Vec<Assertion>,
}

/// The variable and how long it may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The least length.
    pub low: u32,
    /// The greatest length.
    pub high: u32,
    /// Where it is declared.
    pub position: Position,
}

/// A part of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A word.
    Word(SmtString),
    /// One character of a set.
    Set(CharSet),
    /// All that a rule derives.
    Rule(RuleId),
    /// What a rule derives, of this length.
    Fix(RuleId, u32),
    /// Any number of times.
    Star(usize),
    /// Any of these.
    Or(Vec<usize>),
    /// One after the other.
    Concat(Vec<usize>),
}

/// A part of a value, with names followed: values that are made of others are written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A word.
    Word(SmtString),
    /// The variable.
    Variable,
    /// A part of the variable: from this place, so many characters.
    Slice(u32, u32),
}

/// What must hold, or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// Of this value.
    pub value: Vec<Part>,
    /// Whether it must not hold.
    pub negated: bool,
    /// What.
    pub claim: Claim,
    /// Where.
    pub position: Position,
}

/// What is claimed of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It is in the language of an expression.
    InLanguage(usize),
    /// A rule derives it.
    InGrammar(RuleId),
    /// It contains a word.
    Contains(SmtString),
    /// It is another value.
    Equals(Vec<Part>),
}

/// Reads a file whose strings are over `alphabet`.
///
/// # Errors
///
/// When it is not legal. A grammar that is too large within its bounds is no error: then the query has no
/// system.
pub fn read(text: &str, alphabet: Alphabet) -> Result<Document, ReadError> {
    let file = parse(text, alphabet)?;
    let position = file.variable.position;
    let system = lower(&file, alphabet);
    let query = Query { system, position, requests: Vec::new() };
    Ok(Document { queries: vec![query], notes: Vec::new(), hampi: Some(Arc::new(file)) })
}
