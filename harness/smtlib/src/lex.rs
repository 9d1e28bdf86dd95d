//! Text to tokens, with matched parentheses.
//!
//! Invariants of [`Tokens`]: parentheses are balanced, and each opening one knows its closing one, so that a
//! list can be stepped over without reading it. Works on bytes: comments may hold any.

use crate::{ErrorKind, Position, ReadError};
use std::cell::Cell;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `(`
    Open,
    /// `)`
    Close,
    /// A symbol, or a reserved word; bars, if any, are not part of its text.
    Symbol,
    /// `:name`, with the colon.
    Keyword,
    /// Decimal digits.
    Numeral,
    /// Digits, a point, digits.
    Decimal,
    /// `#x…`
    Hexadecimal,
    /// `#b…`
    Binary,
    /// A string literal; the text between the outer quotes, doubled quotes still doubled.
    String,
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// For `(`: the index of its `)`; else its own index.
    pub matching: u32,
    start: u32,
    end: u32,
}

/// All tokens of a text.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a [u8],
    tokens: Vec<Token>,
    /// The last place that was asked for, and its offset: places are mostly asked for one after the other.
    last: Cell<(usize, Position)>,
}

/// Texts are limited to what 32-bit offsets reach.
const LONGEST: usize = 1 << 31;

impl<'a> Tokens<'a> {
    /// Reads `text`. `old_strings`: a backslash before a quote belongs to the literal, as before SMT-LIB 2.5.
    pub fn read(text: &'a [u8], old_strings: bool) -> Result<Self, ReadError> {
        let last = Cell::new((0, Position { line: 1, column: 1 }));
        let mut this = Self { text, tokens: Vec::with_capacity(text.len() / 6), last };
        if text.len() > LONGEST {
            return Err(this.error_at(0, "the text is longer than 2 GiB"));
        }
        let mut open: Vec<u32> = Vec::new();
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => at += 1,
                // A line ends where either line-breaking character of the standard is.
                b';' => {
                    let end = text[at..].iter().position(|&b| b == b'\n' || b == b'\r');
                    at += end.unwrap_or(text.len() - at);
                }
                b'(' => {
                    open.push(this.next_index());
                    this.push(Kind::Open, at, at + 1);
                    at += 1;
                }
                b')' => {
                    let Some(opening) = open.pop() else {
                        return Err(this.error_at(at, "')' closes nothing"));
                    };
                    this.tokens[opening as usize].matching = this.next_index();
                    this.push(Kind::Close, at, at + 1);
                    at += 1;
                }
                b'"' => at = this.string(at, old_strings)?,
                b'|' => at = this.quoted_symbol(at)?,
                _ => at = this.word(at)?,
            }
        }
        if let Some(&opening) = open.last() {
            return Err(this.error(opening as usize, "'(' is never closed"));
        }
        Ok(this)
    }

    fn next_index(&self) -> u32 {
        u32::try_from(self.tokens.len()).unwrap_or(u32::MAX)
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let matching = self.next_index();
        self.tokens.push(Token { kind, matching, start: offset(start), end: offset(end) });
    }

    fn string(&mut self, quote: usize, old_strings: bool) -> Result<usize, ReadError> {
        let mut at = quote + 1;
        loop {
            match self.text.get(at) {
                None => return Err(self.error_at(quote, "the string literal is never closed")),
                Some(b'\\') if old_strings && self.text.get(at + 1).is_some() => at += 2,
                Some(b'"') if self.text.get(at + 1) == Some(&b'"') => at += 2,
                Some(b'"') => break,
                Some(_) => at += 1,
            }
        }
        self.push(Kind::String, quote + 1, at);
        Ok(at + 1)
    }

    fn quoted_symbol(&mut self, bar: usize) -> Result<usize, ReadError> {
        let inside = &self.text[bar + 1..];
        match inside.iter().position(|&b| b == b'|' || b == b'\\') {
            Some(length) if inside[length] == b'|' => {
                self.push(Kind::Symbol, bar + 1, bar + 1 + length);
                Ok(bar + length + 2)
            }
            Some(length) => Err(self.error_at(bar + 1 + length, "a quoted symbol may not hold a backslash")),
            None => Err(self.error_at(bar, "the quoted symbol is never closed")),
        }
    }

    fn word(&mut self, start: usize) -> Result<usize, ReadError> {
        let is_symbol = |b: u8| b.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&b);
        let run = |from: usize, good: &dyn Fn(u8) -> bool| {
            self.text[from..].iter().position(|&b| !good(b)).map_or(self.text.len(), |n| from + n)
        };
        let first = self.text[start];
        let (kind, end) = match first {
            b':' => (Kind::Keyword, run(start + 1, &is_symbol)),
            b'#' => match self.text.get(start + 1) {
                Some(b'x') => (Kind::Hexadecimal, run(start + 2, &|b| b.is_ascii_hexdigit())),
                Some(b'b') => (Kind::Binary, run(start + 2, &|b| b == b'0' || b == b'1')),
                _ => return Err(self.error_at(start, "'#' must be followed by x or b and digits")),
            },
            b'0'..=b'9' => {
                let whole = run(start, &|b| b.is_ascii_digit());
                if self.text.get(whole) == Some(&b'.')
                    && self.text.get(whole + 1).is_some_and(u8::is_ascii_digit)
                {
                    (Kind::Decimal, run(whole + 1, &|b| b.is_ascii_digit()))
                } else {
                    (Kind::Numeral, whole)
                }
            }
            _ if is_symbol(first) => (Kind::Symbol, run(start, &is_symbol)),
            _ => {
                let shown = String::from_utf8_lossy(&self.text[start..self.text.len().min(start + 4)]);
                let shown = visible(shown.chars().next().unwrap_or('?'));
                return Err(self.error_at(start, format!("{shown} may not stand here")));
            }
        };
        let least = match kind {
            Kind::Keyword => 1,
            Kind::Hexadecimal | Kind::Binary => 2,
            _ => 0,
        };
        if end - start <= least {
            return Err(self.error_at(start, "digits or a name must follow"));
        }
        if self.text.get(end).is_some_and(|&b| is_symbol(b)) {
            return Err(self.error_at(start, "a number must be followed by white space or a parenthesis"));
        }
        self.push(kind, start, end);
        Ok(end)
    }

    /// How many tokens.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The token at `index`.
    pub fn get(&self, index: usize) -> Option<Token> {
        self.tokens.get(index).copied()
    }

    /// The kind of the token at `index`; past the end, `Close`, for balanced text ends as a list does.
    pub fn kind(&self, index: usize) -> Kind {
        self.tokens.get(index).map_or(Kind::Close, |t| t.kind)
    }

    /// Its bytes.
    pub fn bytes(&self, index: usize) -> &'a [u8] {
        self.tokens.get(index).map_or(&[], |t| &self.text[t.start as usize..t.end as usize])
    }

    /// Its text. Symbols may hold any bytes between bars; what is not UTF-8 is an error.
    pub fn text(&self, index: usize) -> Result<&'a str, ReadError> {
        std::str::from_utf8(self.bytes(index)).map_err(|_| self.error(index, "this is not UTF-8"))
    }

    /// The index after the token or list at `index`.
    pub fn after(&self, index: usize) -> usize {
        self.tokens.get(index).map_or(index + 1, |t| t.matching as usize + 1)
    }

    /// The elements of the list that opens at `open`.
    pub fn elements(&self, open: usize) -> Elements<'_, 'a> {
        Elements { tokens: self, next: open + 1 }
    }

    /// The byte at which the token at `index` begins, its quote included; past the end, where the text ends.
    pub fn offset(&self, index: usize) -> usize {
        let Some(token) = self.tokens.get(index) else { return self.text.len() };
        let start = token.start as usize;
        // A literal and a quoted symbol begin with their quote, which is not part of their text.
        let quoted = token.kind == Kind::String
            || token.kind == Kind::Symbol
                && start > 0
                && self.text[start - 1] == b'|'
                && self.text.get(token.end as usize) == Some(&b'|');
        if quoted { start - 1 } else { start }
    }

    /// Where the token at `index` is; past the end, where the text ends. Linear in the text since the last
    /// place that was asked for, or in all of the text before it where that one is later.
    pub fn position(&self, index: usize) -> Position {
        self.position_of(self.offset(index))
    }

    fn position_of(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let (from, place) = self.last.get();
        let place = match self.text.get(from..offset) {
            Some(between) => place.after(between),
            None => Position::at(self.text, offset),
        };
        self.last.set((offset, place));
        place
    }

    fn error_at(&self, offset: usize, message: impl Into<String>) -> ReadError {
        ReadError { position: self.position_of(offset), kind: ErrorKind::Illegal, message: message.into() }
    }

    /// An error at the token at `index`.
    pub fn error(&self, index: usize, message: impl Into<String>) -> ReadError {
        ReadError { position: self.position(index), kind: ErrorKind::Illegal, message: message.into() }
    }

    /// A refusal at the token at `index` of something legal that is not built here.
    pub fn unsupported(&self, index: usize, message: impl Into<String>) -> ReadError {
        ReadError { position: self.position(index), kind: ErrorKind::Unsupported, message: message.into() }
    }
}

/// A character as messages show it: in quotation marks, or by its code where a reader would see nothing.
pub(crate) fn visible(c: char) -> String {
    let shown = c.escape_debug().to_string();
    if shown.starts_with('\\') && !matches!(c, '\\' | '\'' | '"') {
        format!("U+{:04X}", u32::from(c))
    } else {
        format!("'{c}'")
    }
}

/// The elements of a list, as indices of their first tokens.
#[derive(Clone, Debug)]
pub struct Elements<'t, 'a> {
    tokens: &'t Tokens<'a>,
    next: usize,
}

impl Iterator for Elements<'_, '_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.tokens.kind(self.next) == Kind::Close {
            return None;
        }
        let this = self.next;
        self.next = self.tokens.after(this);
        Some(this)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        let tokens = Tokens::read(text.as_bytes(), false).unwrap();
        (0..tokens.len()).map(|i| tokens.kind(i)).collect()
    }

    fn error(text: &str) -> String {
        Tokens::read(text.as_bytes(), false).unwrap_err().to_string()
    }

    #[test]
    fn tokens() {
        use Kind::*;
        assert_eq!(
            kinds("(a |b ;| :c 1 1.5 #x1F #b01 \"q\"\"r\") ; (\n"),
            [Open, Symbol, Symbol, Keyword, Numeral, Decimal, Hexadecimal, Binary, String, Close]
        );
        let tokens = Tokens::read(b"(f (g 1) x)", false).unwrap();
        let texts: Vec<_> = tokens.elements(0).map(|i| tokens.bytes(i)).collect();
        assert_eq!(texts, [&b"f"[..], b"(", b"x"]);
    }

    #[test]
    fn errors_have_a_place() {
        assert_eq!(error("(a\n  (b)"), "line 1 column 1: '(' is never closed");
        assert_eq!(error("(a)\n )"), "line 2 column 2: ')' closes nothing");
        assert_eq!(error("é \"x"), "line 1 column 1: 'é' may not stand here");
        assert_eq!(error("\u{feff}(a)"), "line 1 column 1: U+FEFF may not stand here");
        assert_eq!(error("; a\rb ; c\r\n\n'"), "line 4 column 1: ''' may not stand here");
        assert_eq!(error(" \"x"), "line 1 column 2: the string literal is never closed");
        assert_eq!(error("|a\\b|"), "line 1 column 3: a quoted symbol may not hold a backslash");
        assert_eq!(
            error("12ab"),
            "line 1 column 1: a number must be followed by white space or a parenthesis"
        );
        assert_eq!(error("#x"), "line 1 column 1: digits or a name must follow");
    }

    #[test]
    fn a_million_parentheses() {
        let mut text = "(".repeat(1_000_000);
        text.push_str(&")".repeat(1_000_000));
        assert_eq!(Tokens::read(text.as_bytes(), false).unwrap().len(), 2_000_000);
    }
}
