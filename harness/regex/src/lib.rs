//! Textual regular expressions of several dialects, into the terms of the model.
//!
//! A pattern denotes a language over an alphabet: [`parse`] gives the words that match as a whole,
//! [`parse_search`] the words some part of which matches. What is legal but not regular (back-references,
//! look-around) or not modelled is refused with its position; nothing is ever dropped or approximated.
//!
//! - `parser`, `group`, `quantifier`: structure, of the engines that `engine` lists; `cursor`, `flags`: what
//!   they move over and with
//! - `escape`, `class`: backslashes and brackets; `property`, `unicode`, `tables`, `blocks`, `scripts`: named
//!   classes; `fold`: ignoring case
//! - `rust`: the Rust dialect, read by `regex-syntax` itself
//! - `node`: what they build; `look`: assertions as conditions; `anchor`: assertions resolved into a plain
//!   term; `context`: what Java's word boundary sees of the text before it; `split`: the words of a term that
//!   begin or end in a given way
//!
//! Depends on `harness-model` alone and knows no backend.

mod anchor;
mod blocks;
mod class;
mod context;
mod cursor;
mod engine;
mod error;
mod escape;
mod flags;
mod fold;
mod group;
mod look;
mod node;
mod parser;
mod property;
mod quantifier;
mod rust;
mod scripts;
mod split;
mod tables;
mod unicode;

use harness_model::{Alphabet, Dialect, Regex, RegexSource};

use engine::Engine;
pub use error::{ErrorKind, ParseError};
use parser::Parser;

/// How deep groups, or classes in classes, may nest. Everything that walks a term may recurse.
pub const NESTING_LIMIT: usize = 1000;

/// Reads `pattern`: the language of the words of `alphabet` that match it as a whole.
///
/// Counted repetition is kept as such, so memory is linear in the pattern and in the ranges of its classes.
///
/// # Errors
/// When the pattern is not legal in its dialect, is not regular, or is beyond a limit; [`ParseError::kind`]
/// says which.
///
/// ```
/// use harness_check::matcher;
/// use harness_model::{Alphabet, Dialect, SmtString};
///
/// let regex = harness_regex::parse(r"^\w+@\w+$", Dialect::Dotnet, Alphabet::Ascii)?;
/// assert!(matcher::matches(&regex, &SmtString::from("a@b")));
///
/// let error = harness_regex::parse(r"(a)\1", Dialect::Dotnet, Alphabet::Ascii).unwrap_err();
/// assert_eq!(error.offset, 3);
/// # Ok::<(), harness_regex::ParseError>(())
/// ```
pub fn parse(pattern: &str, dialect: Dialect, alphabet: Alphabet) -> Result<Regex, ParseError> {
    read_as(pattern, dialect, alphabet, false)
}

/// Reads `pattern`: the language of the words of `alphabet` some part of which matches it. Assertions look at
/// the whole word, so `^a` gives the words that begin with an `a`.
///
/// # Errors
/// As [`parse`].
pub fn parse_search(pattern: &str, dialect: Dialect, alphabet: Alphabet) -> Result<Regex, ParseError> {
    read_as(pattern, dialect, alphabet, true)
}

/// Reads an expression of a task: as a whole, or as part of a word, as it says.
///
/// # Errors
/// As [`parse`].
pub fn read(source: &RegexSource, alphabet: Alphabet) -> Result<Regex, ParseError> {
    read_as(&source.pattern, source.dialect, alphabet, source.find)
}

fn read_as(pattern: &str, dialect: Dialect, alphabet: Alphabet, search: bool) -> Result<Regex, ParseError> {
    let node = match dialect {
        Dialect::Rust => rust::read(pattern, alphabet)?,
        Dialect::Dotnet => Parser::new(pattern, Engine::Dotnet, alphabet).parse()?,
        Dialect::DotnetStudy => Parser::new(pattern, Engine::Dotnet, alphabet).of_the_study().parse()?,
        Dialect::Java => Parser::new(pattern, Engine::Java, alphabet).parse()?,
        Dialect::Pcre2 => Parser::new(pattern, Engine::Pcre2, alphabet).parse()?,
    };
    anchor::resolve(node, search, alphabet)
}
