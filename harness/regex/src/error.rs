//! Why a pattern cannot be read.

use std::fmt;

/// Whose fault it is that a pattern was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The pattern is not legal in its dialect.
    Syntax,
    /// Legal, but not regular, or a feature of the dialect that is not modelled.
    Unsupported,
    /// Legal, but beyond a limit of this reader; the message names it.
    Limit,
}

/// Why a pattern cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Where, in characters from the start of the pattern, from 0.
    pub offset: usize,
    /// What is wrong, and the way out where there is one.
    pub message: String,
    /// Whose fault it is.
    pub kind: ErrorKind,
}

impl ParseError {
    pub(crate) fn syntax(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into(), kind: ErrorKind::Syntax }
    }

    pub(crate) fn unsupported(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into(), kind: ErrorKind::Unsupported }
    }

    pub(crate) fn limit(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into(), kind: ErrorKind::Limit }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at character {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for ParseError {}
