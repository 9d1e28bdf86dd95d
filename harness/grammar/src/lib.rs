//! Context-free grammars.
//!
//! - [`grammar`]: grammars as data
//! - [`mod@read`], [`mod@write`]: the text format of CFG Analyzer
//! - [`matcher`]: whether a word is in the language; for the judge alone, so it shares nothing with the rest
//! - [`normal`]: a normal form with at most two symbols on the right, for strategies
//! - [`bound`]: the words of bounded length as a regular expression; [`automaton`]: as an automaton
//!
//! A terminal is a string of characters, and a word is what the characters of its terminals spell: lengths
//! count characters.

pub mod automaton;
pub mod bound;
pub mod grammar;
pub mod matcher;
pub mod normal;
pub mod read;
pub mod write;

pub use grammar::{Grammar, Rule, Symbol};
pub use matcher::contains;
pub use normal::NormalForm;
pub use read::{GrammarError, read};
pub use write::text;
