//! Texts that ask for solutions of systems, whatever they are written in.

use std::sync::Arc;

use harness_model::{Alphabet, SystemFormat, SystemSource};
use harness_theory::Position;

use crate::system::System;
use crate::{ReadError, dprle, hampi, smtlib};

/// A text, read.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// Each time that it asks for a solution, in order.
    pub queries: Vec<Query>,
    /// What it asks for that is legal and means nothing, such as a command that is not known: DPRLE goes on
    /// after these.
    pub notes: Vec<ReadError>,
    /// HAMPI's file as it is written, for strategies that take its grammars as they are.
    pub hampi: Option<Arc<hampi::File>>,
}

/// One time that a text asks for a solution.
#[derive(Clone, Debug)]
pub struct Query {
    /// The system, or why it is none: a grammar that has too many words, an automaton whose expression is too
    /// large.
    pub system: Result<System, String>,
    /// Where it is asked.
    pub position: Position,
    /// What is asked about the solution, in order.
    pub requests: Vec<Request>,
}

/// A question about a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Where.
    pub position: Position,
    /// What.
    pub kind: RequestKind,
}

/// What is asked about a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// The languages of these names; of all, where there are none.
    Show(Vec<String>),
    /// So many words of the languages of these names; of all, where there are none.
    Words(usize, Vec<String>),
    /// Another one of the solutions, from 1, for what follows.
    Select(usize),
    /// Whether the words of one name are words of the other.
    Included(String, String),
    /// Whether two names have the same words.
    Equal(String, String),
}

/// Reads a text whose strings are over `alphabet`.
///
/// # Errors
///
/// When it is not legal, or, of SMT-LIB, has what is not supported: where, and what was expected.
pub fn read(text: &str, format: SystemFormat, alphabet: Alphabet) -> Result<Document, ReadError> {
    match format {
        SystemFormat::Dprle => dprle::read(text, alphabet),
        SystemFormat::Hampi => hampi::read(text, alphabet),
        SystemFormat::Smtlib => smtlib::read(text, alphabet),
    }
}

/// Reads what a question holds.
///
/// # Errors
///
/// As [`read`].
pub fn read_source(source: &SystemSource, alphabet: Alphabet) -> Result<Document, ReadError> {
    read(&source.text, source.format, alphabet)
}
