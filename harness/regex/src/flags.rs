//! Flags that a pattern can set for itself: `(?i)`, `(?s-m:...)`.

use harness_model::Dialect;

use crate::cursor::Cursor;
use crate::error::ParseError;

/// What is switched on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    /// `i`: case does not count.
    pub(crate) ignore_case: bool,
    /// `s`: the dot is every character.
    pub(crate) dot_all: bool,
    /// `m`: `^` and `$` are about lines.
    pub(crate) lines: bool,
    /// `x`: blanks and `#` comments do not count.
    pub(crate) extended: bool,
    /// PCRE2's `xx`: blanks in classes do not count either.
    pub(crate) extended_more: bool,
    /// `n`: unnamed groups do not capture.
    pub(crate) explicit: bool,
    /// Java's `u`: case by Unicode.
    pub(crate) unicode_case: bool,
    /// Java's `U`: classes by Unicode.
    pub(crate) unicode_classes: bool,
    /// Java's `d`: only `\n` ends a line.
    pub(crate) unix_lines: bool,
}

impl Flags {
    /// Reads flags up to the `)` or `:` that ends them, which is left to the caller.
    pub(crate) fn read(mut self, cursor: &mut Cursor, dialect: Dialect) -> Result<Self, ParseError> {
        let mut on = true;
        if dialect == Dialect::Pcre2 && cursor.eat("^") {
            (self.ignore_case, self.lines, self.explicit) = (false, false, false);
            (self.dot_all, self.extended, self.extended_more) = (false, false, false);
        }
        loop {
            let here = cursor.offset(cursor.at());
            match cursor.peek() {
                Some(')' | ':') => return Ok(self),
                Some('-') if on || dialect == Dialect::Dotnet => on = false,
                Some('+') if dialect == Dialect::Dotnet => on = true,
                Some(flag) => {
                    if !self.set(flag, on, dialect, cursor) {
                        return Err(ParseError::syntax(
                            here,
                            format!("'{flag}' is no flag of {dialect}: there are {}", known(dialect)),
                        ));
                    }
                }
                None => return Err(ParseError::syntax(here, "the group is not closed: a ')' is missing")),
            }
            cursor.skip(1);
        }
    }

    fn set(&mut self, flag: char, on: bool, dialect: Dialect, cursor: &mut Cursor) -> bool {
        let flag = if dialect == Dialect::Dotnet { flag.to_ascii_lowercase() } else { flag };
        match (flag, dialect) {
            ('i', _) => self.ignore_case = on,
            ('s', _) => self.dot_all = on,
            ('m', _) => self.lines = on,
            ('x', _) => {
                self.extended = on;
                let twice = dialect == Dialect::Pcre2 && cursor.peek_at(1) == Some('x');
                self.extended_more = on && twice;
                cursor.skip(usize::from(twice));
            }
            ('n', Dialect::Dotnet | Dialect::Pcre2) => self.explicit = on,
            ('u', Dialect::Java) => self.unicode_case = on,
            ('U', Dialect::Java) => {
                self.unicode_classes = on;
                self.unicode_case = on;
            }
            ('d', Dialect::Java) => self.unix_lines = on,
            // Duplicate names, and greediness swapped: the same language.
            ('J' | 'U', Dialect::Pcre2) => {}
            _ => return false,
        }
        true
    }
}

const fn known(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Dotnet => "i, m, n, s and x",
        Dialect::Java => "d, i, m, s, u, x and U",
        Dialect::Pcre2 => "i, m, n, s, x, xx, J and U",
        Dialect::Rust => "i, m, s, u, x, R and U",
    }
}
