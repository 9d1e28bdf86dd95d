//! Flags that a pattern can set for itself: `(?i)`, `(?s-m:...)`.

use crate::cursor::Cursor;
use crate::engine::Engine;
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
    /// PCRE2's `U`: quantifiers without a mark are lazy, those with one greedy.
    pub(crate) ungreedy: bool,
    /// PCRE2's `J`: several groups may have the same name.
    pub(crate) same_names: bool,
    /// Java's `u`: case by Unicode.
    pub(crate) unicode_case: bool,
    /// Java's `U`: classes by Unicode.
    pub(crate) unicode_classes: bool,
    /// Java's `d`: only `\n` ends a line.
    pub(crate) unix_lines: bool,
}

impl Flags {
    /// Reads flags up to the `)` or `:` that ends them, which is left to the caller.
    pub(crate) fn read(mut self, cursor: &mut Cursor, engine: Engine) -> Result<Self, ParseError> {
        let mut on = true;
        let anew = engine == Engine::Pcre2 && cursor.eat("^");
        if anew {
            (self.ignore_case, self.lines, self.explicit) = (false, false, false);
            (self.dot_all, self.extended, self.extended_more) = (false, false, false);
        }
        loop {
            let here = cursor.offset(cursor.at());
            match cursor.peek() {
                Some(')' | ':') => return Ok(self),
                Some('-') if (on && !anew) || engine == Engine::Dotnet => on = false,
                Some('+') if engine == Engine::Dotnet => on = true,
                Some(flag) => {
                    if !self.set(flag, on, engine, cursor) {
                        return Err(ParseError::syntax(
                            here,
                            format!("'{flag}' is no flag of {engine}: there are {}", known(engine)),
                        ));
                    }
                }
                None => return Err(ParseError::syntax(here, "the group is not closed: a ')' is missing")),
            }
            cursor.skip(1);
        }
    }

    fn set(&mut self, flag: char, on: bool, engine: Engine, cursor: &mut Cursor) -> bool {
        let flag = if engine == Engine::Dotnet { flag.to_ascii_lowercase() } else { flag };
        match (flag, engine) {
            ('i', _) => self.ignore_case = on,
            ('s', _) => self.dot_all = on,
            ('m', _) => self.lines = on,
            ('x', _) => {
                self.extended = on;
                let twice = engine == Engine::Pcre2 && cursor.peek_at(1) == Some('x');
                self.extended_more = on && twice;
                cursor.skip(usize::from(twice));
            }
            ('n', Engine::Dotnet | Engine::Pcre2) => self.explicit = on,
            ('u', Engine::Java) => self.unicode_case = on,
            ('U', Engine::Java) => {
                self.unicode_classes = on;
                self.unicode_case = on;
            }
            ('d', Engine::Java) => self.unix_lines = on,
            ('J', Engine::Pcre2) => self.same_names = on,
            ('U', Engine::Pcre2) => self.ungreedy = on,
            _ => return false,
        }
        true
    }
}

const fn known(engine: Engine) -> &'static str {
    match engine {
        Engine::Dotnet => "i, m, n, s and x",
        Engine::Java => "d, i, m, s, u, x and U",
        Engine::Pcre2 => "i, m, n, s, x, xx, J and U",
    }
}
