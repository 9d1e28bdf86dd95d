//! The sorts of the constraints that are solved here.

use std::fmt;

/// A sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Strings.
    String,
    /// Regular languages.
    RegLan,
}

impl Sort {
    /// SMT-LIB's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "Bool",
            Self::Int => "Int",
            Self::String => "String",
            Self::RegLan => "RegLan",
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
