//! The languages of constraints.

use std::borrow::Cow;

use harness_model::{Regex, SmtString};

use crate::automaton::Automaton;
use crate::eliminate::{self, TooLarge};

/// A regular language, as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Language {
    /// By an expression.
    Regex(Regex),
    /// By an automaton.
    Automaton(Automaton),
}

impl Language {
    /// An expression for it.
    ///
    /// # Errors
    ///
    /// When that of an automaton would be too large.
    pub fn regex(&self) -> Result<Cow<'_, Regex>, TooLarge> {
        match self {
            Self::Regex(regex) => Ok(Cow::Borrowed(regex)),
            Self::Automaton(automaton) => Ok(Cow::Owned(eliminate::regex(automaton)?)),
        }
    }

    /// The word `text` and no other.
    pub fn word(text: &SmtString) -> Self {
        Self::Regex(Regex::literal(text))
    }
}
