//! The functions that Java's operations come down to beside SMT-LIB's.
//!
//! Whoever computes terms after their operations were written out knows SMT-LIB's functions and these, and no
//! operation of Java by its name. So an operation that is a term over others, or one more use of a primitive,
//! asks for nothing there; only a new primitive does.

use super::definition::FreshMaker;
use super::fresh;
use crate::term::TermId;

/// A function that is no short term in SMT-LIB's functions. Each is total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primitive {
    /// Of two strings: the difference of the first characters that differ, else of the lengths.
    CompareTo,
    /// Of two strings and an integer: the last position up to the integer at which the second string occurs
    /// in the first; -1 when there is none.
    LastIndexOf,
    /// Of a string: the letters of ASCII that are not of this case are made so.
    Letters(Case),
    /// Of a string: without the characters in these ranges, which are in order and apart, at both ends.
    Trim(&'static [(u32, u32)]),
}

/// Capital or small letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// Small letters.
    Lower,
    /// Capital letters.
    Upper,
}

impl Primitive {
    /// A term for its value, over the arguments and fresh variables, with constraints that give the term
    /// exactly one value for each value of the arguments. It holds none of Java's operations.
    pub fn describe(self, m: &mut FreshMaker<'_>, arguments: &[TermId]) -> TermId {
        match self {
            Self::CompareTo => fresh::compare_to(m, arguments),
            Self::LastIndexOf => fresh::last_index_of(m, arguments),
            Self::Letters(Case::Lower) => fresh::map_letters(m, arguments[0], b'A', b'a'),
            Self::Letters(Case::Upper) => fresh::map_letters(m, arguments[0], b'a', b'A'),
            Self::Trim(ranges) => fresh::trim(m, arguments[0], ranges),
        }
    }
}
