//! Why there is no value.

use harness_model::Alphabet;
use harness_model::Char;
use harness_theory::Sort;

/// Why a term has no value, or none that is computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The standard leaves it open, so a solver may choose any value for it.
    #[error("division by zero has no fixed value")]
    DivisionByZero,
    /// Languages are compared by solving, not by computing.
    #[error("equality of regular languages cannot be evaluated")]
    LanguageEquality,
    /// Regular languages have no literals.
    #[error("'{0}' is a variable of sort RegLan, which has no literals")]
    LanguageVariable(String),
    /// The value of a variable is of another sort.
    #[error("'{variable}' is of sort {wanted}, but its value is of sort {found}")]
    Sort {
        /// The variable.
        variable: String,
        /// Its sort.
        wanted: Sort,
        /// The value's.
        found: Sort,
    },
    /// The value of a variable is not a string over the alphabet.
    #[error("the value of '{variable}' has {character:?}, which the alphabet {alphabet} does not have")]
    Foreign {
        /// The variable.
        variable: String,
        /// The character.
        character: Char,
        /// The alphabet.
        alphabet: Alphabet,
    },
    /// An operation of Java that has to be written out first.
    #[error("'{0}' has to be written out before it is evaluated")]
    NotWrittenOut(&'static str),
    /// The value is larger than what is computed.
    #[error("evaluating it would need {0}")]
    Limit(Limit),
}

/// Which of the [`Limits`] was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Limit {
    /// [`Limits::characters`].
    #[error("more characters than are held at once")]
    Characters,
    /// [`Limits::bits`].
    #[error("an integer of more bits than are computed")]
    Bits,
    /// [`Limits::nesting`].
    #[error("a regular expression nested too deeply")]
    Nesting,
    /// [`Limits::steps`].
    #[error("too many steps for a regular expression")]
    Steps,
}

/// How much is computed before it is given up: a term of a few kilobytes can denote a string of terabytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Characters of all strings together.
    pub characters: usize,
    /// Bits of a product.
    pub bits: u64,
    /// Levels of a regular expression, which much of what reads one descends by recursion.
    pub nesting: u32,
    /// Steps of one membership test or replacement, each about an expression that is made: the default is
    /// some seconds.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { characters: 1 << 26, bits: 1 << 22, nesting: 5000, steps: 1 << 24 }
    }
}
