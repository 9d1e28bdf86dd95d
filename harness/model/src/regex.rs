//! Regular expressions as terms.
//!
//! A term denotes a language over code points, whole words only: anchors, flags, laziness and the classes of
//! a dialect are gone once `harness-regex` has read a pattern. Terms keep the shape in which they were
//! written: the constructors rewrite nothing, for the sizes of the automata built from them are part of what
//! is studied.
//!
//! Groups are gone but for one case: a capturing group around a single set that a quantifier other than `{1}`
//! applies to is a [`Regex::Concat`] of that one set. The study's construction makes a plain chain of
//! `[ab]{2,6}`, where .NET's parse tree has one node, and nested optional copies of `(a|b){2,6}`, where it
//! has a loop around a group; figure 3.7 tells them apart.

use std::sync::Arc;

use crate::charset::CharSet;

/// A regular expression. Shared sub-terms are shared in memory; a clone is cheap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Regex {
    /// The empty language.
    Empty,
    /// The empty word.
    Epsilon,
    /// One character of a set. An empty set denotes the empty language.
    Set(Arc<CharSet>),
    /// One after the other; none: the empty word.
    Concat(Arc<[Regex]>),
    /// Any of them; none: the empty language.
    Union(Arc<[Regex]>),
    /// All of them; none: every word.
    Inter(Arc<[Regex]>),
    /// Every word over the alphabet that is not in it.
    Complement(Arc<Regex>),
    /// From `min` to `max` times (no `max`: any number from `min` on); `max < min` denotes the empty
    /// language.
    Repeat {
        /// What is repeated.
        inner: Arc<Regex>,
        /// The least number of times.
        min: u32,
        /// The greatest number of times, if any.
        max: Option<u32>,
    },
}

impl Regex {
    /// One character of `set`.
    pub fn set(set: CharSet) -> Self {
        Self::Set(Arc::new(set))
    }

    /// One after the other.
    pub fn concat(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::Concat(parts.into_iter().collect())
    }

    /// Any of them.
    pub fn union(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::Union(parts.into_iter().collect())
    }

    /// From `min` to `max` times.
    pub fn repeat(self, min: u32, max: Option<u32>) -> Self {
        Self::Repeat { inner: Arc::new(self), min, max }
    }

    /// Any number of times.
    pub fn star(self) -> Self {
        self.repeat(0, None)
    }

    /// The word `text` and nothing else.
    pub fn literal(text: &crate::SmtString) -> Self {
        Self::concat(text.chars().iter().map(|&c| Self::set(CharSet::single(c))))
    }
}
