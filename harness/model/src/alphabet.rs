//! Characters and the four alphabets.
//!
//! An alphabet belongs to a task, never to a strategy: it can change the right answer. Each one is a prefix
//! `0..=max` of the code points of SMT-LIB's strings, so a character is a number and nothing else; surrogates
//! are characters like any other.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A character: a code point up to [`Char::MAX`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Char(pub u32);

impl Char {
    /// The largest character of SMT-LIB's theory of strings.
    pub const MAX: Self = Self(0x2_FFFF);
}

impl fmt::Debug for Char {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match char::from_u32(self.0) {
            Some(c) if (' '..='~').contains(&c) => write!(f, "{c:?}"),
            _ => write!(f, "U+{:04X}", self.0),
        }
    }
}

impl From<u8> for Char {
    fn from(byte: u8) -> Self {
        Self(u32::from(byte))
    }
}

/// The characters that a task is about: all from 0 to [`Alphabet::max`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Alphabet {
    /// `0..=7F`
    Ascii,
    /// `0..=FF`
    Latin1,
    /// `0..=FFFF`, surrogates included: what Java and .NET call a character
    Utf16,
    /// `0..=2FFFF`, SMT-LIB's strings
    Unicode,
}

impl Alphabet {
    /// All four, smallest first.
    pub const ALL: [Self; 4] = [Self::Ascii, Self::Latin1, Self::Utf16, Self::Unicode];

    /// The largest character.
    pub const fn max(self) -> Char {
        match self {
            Self::Ascii => Char(0x7F),
            Self::Latin1 => Char(0xFF),
            Self::Utf16 => Char(0xFFFF),
            Self::Unicode => Char::MAX,
        }
    }

    /// How many bits a character takes: 7, 8, 16 or 18.
    pub const fn bits(self) -> u32 {
        32 - self.max().0.leading_zeros()
    }

    /// How many characters there are.
    pub const fn size(self) -> u32 {
        self.max().0 + 1
    }

    /// Whether `c` is a character of this alphabet.
    pub const fn contains(self, c: Char) -> bool {
        c.0 <= self.max().0
    }

    /// The name used on the command line, in configs and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ascii => "ascii",
            Self::Latin1 => "latin1",
            Self::Utf16 => "utf16",
            Self::Unicode => "unicode",
        }
    }
}

impl fmt::Display for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is none of the four.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no alphabet '{0}': there are ascii, latin1, utf16 and unicode")]
pub struct UnknownAlphabet(pub String);

impl FromStr for Alphabet {
    type Err = UnknownAlphabet;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|a| a.name() == name).ok_or_else(|| UnknownAlphabet(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(Alphabet::ALL.map(Alphabet::bits), [7, 8, 16, 18]);
        assert_eq!(Alphabet::ALL.map(Alphabet::size), [128, 256, 65_536, 196_608]);
        assert!(!Alphabet::Ascii.contains(Char(0x80)));
    }

    #[test]
    fn names_round_trip() {
        for a in Alphabet::ALL {
            assert_eq!(a.name().parse(), Ok(a));
        }
        assert!("ASCII".parse::<Alphabet>().is_err());
    }
}
