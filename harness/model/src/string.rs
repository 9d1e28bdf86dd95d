//! Strings over code points, and the escapes of SMT-LIB 2.6 and later in which they are written.
//!
//! A string is never a Rust `String`: SMT-LIB admits surrogates. In text, printable ASCII stands for itself,
//! `"` is doubled inside SMT-LIB literals (by the printer of scripts, not here), and every other character,
//! and a backslash, is `\u{X}`.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::alphabet::{Alphabet, Char};

/// A finite sequence of characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SmtString(Vec<Char>);

impl SmtString {
    /// The empty string.
    pub const fn empty() -> Self {
        Self(Vec::new())
    }

    /// The characters, in order.
    pub fn chars(&self) -> &[Char] {
        &self.0
    }

    /// How many characters.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it is the empty string.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first character that `alphabet` does not have.
    pub fn foreign_to(&self, alphabet: Alphabet) -> Option<Char> {
        self.0.iter().copied().find(|&c| !alphabet.contains(c))
    }

    /// The string over `alphabet`: in `utf16`, each character above U+FFFF becomes its two surrogates, as
    /// Java and .NET have it.
    ///
    /// # Errors
    ///
    /// The first character that the alphabet does not have, not even as two.
    pub fn in_alphabet(self, alphabet: Alphabet) -> Result<Self, Char> {
        let Some(foreign) = self.foreign_to(alphabet) else { return Ok(self) };
        if alphabet != Alphabet::Utf16 {
            return Err(foreign);
        }
        let units = self.0.iter().flat_map(|&c| match c.0.checked_sub(0x1_0000) {
            Some(rest) => vec![Char(0xD800 + (rest >> 10)), Char(0xDC00 + (rest & 0x3FF))],
            None => vec![c],
        });
        Ok(Self::from(units.collect::<Vec<_>>()))
    }

    /// The character that the string is in UTF-16, if it is a high surrogate and a low one.
    pub fn surrogate_pair(&self) -> Option<Char> {
        match *self.chars() {
            [Char(high @ 0xD800..=0xDBFF), Char(low @ 0xDC00..=0xDFFF)] => {
                Some(Char(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)))
            }
            _ => None,
        }
    }

    /// Reads text with the escapes `\u{X}` (one to five hexadecimal digits) and `\uXXXX`, as SMT-LIB does:
    /// what is not a complete escape of a character up to 2FFFF stands for itself. A character of `text`
    /// above that is an error.
    pub fn unescape(text: &str) -> Result<Self, Char> {
        let source: Vec<char> = text.chars().collect();
        let mut out = Vec::with_capacity(source.len());
        let mut at = 0;
        while let Some(&c) = source.get(at) {
            if let Some((value, used)) = escape_at(&source[at..]) {
                out.push(Char(value));
                at += used;
                continue;
            }
            if u32::from(c) > Char::MAX.0 {
                return Err(Char(u32::from(c)));
            }
            out.push(Char(u32::from(c)));
            at += 1;
        }
        Ok(Self(out))
    }
}

/// The escape at the start of `rest`: its character and its length.
fn escape_at(rest: &[char]) -> Option<(u32, usize)> {
    let tail = rest.strip_prefix(&['\\', 'u'])?;
    let hex = |digits: &[char]| {
        digits
            .iter()
            .try_fold(0u32, |value, d| Some(value * 16 + d.to_digit(16)?))
            .filter(|&v| v <= Char::MAX.0)
    };
    if let Some(braced) = tail.strip_prefix(&['{']) {
        let length = braced.iter().position(|&c| c == '}')?;
        return (1..=5).contains(&length).then(|| hex(&braced[..length]).map(|v| (v, length + 4)))?;
    }
    hex(tail.get(..4)?).map(|v| (v, 6))
}

impl From<Vec<Char>> for SmtString {
    fn from(chars: Vec<Char>) -> Self {
        Self(chars)
    }
}

impl FromIterator<Char> for SmtString {
    fn from_iter<I: IntoIterator<Item = Char>>(chars: I) -> Self {
        Self(chars.into_iter().collect())
    }
}

impl From<&str> for SmtString {
    /// The code points of `text`, no escapes read.
    fn from(text: &str) -> Self {
        text.chars().map(|c| Char(u32::from(c))).collect()
    }
}

impl fmt::Display for SmtString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &Char(c) in &self.0 {
            match u8::try_from(c) {
                Ok(byte @ b' '..=b'~') if byte != b'\\' => write!(f, "{}", char::from(byte))?,
                _ => write!(f, "\\u{{{c:x}}}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for SmtString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

impl Serialize for SmtString {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SmtString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::unescape(&text).map_err(|c| {
            serde::de::Error::custom(format_args!("{c:?} is above the last character of SMT-LIB, 2FFFF"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        let s = SmtString::unescape(r"a\u{1F600}\u0041\u{}\u{12345678}\x41\u{3FFFF}").unwrap();
        assert_eq!(s.len(), 3 + 4 + 12 + 4 + 9);
        assert_eq!(s.chars()[1], Char(0x1_F600));
        assert_eq!(s.to_string(), r"a\u{1f600}A\u{5c}u{}\u{5c}u{12345678}\u{5c}x41\u{5c}u{3FFFF}");
    }

    #[test]
    fn display_round_trips() {
        let all: SmtString = (0..0x300).chain([0xD800, 0xFFFF, 0x2_FFFF]).map(Char).collect();
        assert_eq!(SmtString::unescape(&all.to_string()), Ok(all));
    }

    #[test]
    fn a_backslash_before_u_is_not_an_escape_after_a_round_trip() {
        let tricky = SmtString::from(r"\u{41}");
        assert_eq!(SmtString::unescape(&tricky.to_string()), Ok(tricky));
    }
}
