//! A place in a pattern.
//!
//! A pattern is a sequence of numbers, mostly code points: .NET reads UTF-16 units, so over the alphabet
//! `utf16` a character above U+FFFF is two of them, each an atom of its own. Positions in errors are always
//! in characters of the pattern as given.

/// A pattern and how far it has been read.
pub(crate) struct Cursor {
    items: Vec<u32>,
    at: usize,
    /// Whether items are UTF-16 units.
    units: bool,
}

impl Cursor {
    pub(crate) fn new(pattern: &str, units: bool) -> Self {
        let items = if units {
            pattern.encode_utf16().map(u32::from).collect()
        } else {
            pattern.chars().map(u32::from).collect()
        };
        Self { items, at: 0, units }
    }

    /// Where it is, for [`Self::seek`].
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// Goes back, or on, to a place that [`Self::at`] gave.
    pub(crate) const fn seek(&mut self, at: usize) {
        self.at = at;
    }

    /// The place `at` in characters of the pattern.
    pub(crate) fn offset(&self, at: usize) -> usize {
        let at = at.min(self.items.len());
        if self.units {
            self.items[..at].iter().filter(|u| !(0xDC00..=0xDFFF).contains(*u)).count()
        } else {
            at
        }
    }

    /// The next item as a character; half of a surrogate pair, which is never syntax, as U+FFFD.
    pub(crate) fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    /// The item `ahead` places after the next one.
    pub(crate) fn peek_at(&self, ahead: usize) -> Option<char> {
        self.items.get(self.at + ahead).map(|&c| char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// Takes the next item.
    pub(crate) fn next(&mut self) -> Option<u32> {
        let item = self.items.get(self.at).copied();
        self.at += usize::from(item.is_some());
        item
    }

    /// Skips the next `count` items.
    pub(crate) fn skip(&mut self, count: usize) {
        self.at = (self.at + count).min(self.items.len());
    }

    /// Whether `text` comes next.
    pub(crate) fn looking_at(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(i, c)| self.peek_at(i) == Some(c))
    }

    /// Takes `text` if it comes next.
    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let there = self.looking_at(text);
        if there {
            self.skip(text.chars().count());
        }
        there
    }

    /// Takes characters as long as `wanted` holds, at most `limit` of them.
    pub(crate) fn take_while(&mut self, limit: usize, wanted: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        for _ in 0..limit {
            match self.peek().filter(|&c| wanted(c)) {
                Some(c) => taken.push(c),
                None => break,
            }
            self.at += 1;
        }
        taken
    }

    /// How many opening parentheses the pattern has: an upper bound on its groups.
    pub(crate) fn parentheses(&self) -> usize {
        self.items.iter().filter(|&&c| c == u32::from('(')).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_count_characters_not_units() {
        let mut cursor = Cursor::new("a\u{1F600}b", true);
        cursor.skip(3);
        assert_eq!(cursor.peek(), Some('b'));
        assert_eq!(cursor.offset(cursor.at()), 2);
    }

    #[test]
    fn eating() {
        let mut cursor = Cursor::new("abc12", false);
        assert!(cursor.eat("ab"));
        assert!(!cursor.eat("x"));
        assert_eq!(cursor.next(), Some(u32::from('c')));
        assert_eq!(cursor.take_while(1, |c| c.is_ascii_digit()), "1");
        assert_eq!(cursor.peek(), Some('2'));
        cursor.skip(9);
        assert_eq!(cursor.next(), None);
    }
}
