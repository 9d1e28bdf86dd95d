//! Whose rules a pattern follows while it is read: the engines that this crate has a parser of its own for.

use std::fmt;

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// .NET
    Dotnet,
    /// Java 17
    Java,
    /// PCRE2 10.42, UTF without UCP
    Pcre2,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Dotnet => ".NET",
            Self::Java => "Java",
            Self::Pcre2 => "PCRE2",
        })
    }
}
