//! Bracketed classes. The dialects agree on little: each has a reader of its own, on one collector.
//!
//! - .NET: ranges, escapes, one subtraction at the end (`[a-z-[aeiou]]`); `[:name:]` is read and, but for its
//!   first bracket, thrown away
//! - Java: ranges, escapes, classes in classes, intersection (`&&`)
//! - PCRE2: ranges, escapes, POSIX names
//!
//! Ignoring case adds characters before a `^` negates; negation is over the alphabet.

mod java;
mod pcre2;

use harness_model::{Alphabet, CharSet};

use crate::NESTING_LIMIT;
use crate::engine::Engine;
use crate::error::ParseError;
use crate::escape::Escape;
use crate::node::merge;
use crate::parser::Parser;

/// What a class has so far.
#[derive(Default)]
struct Members {
    /// Characters and ranges, not folded.
    ranges: Vec<(u32, u32)>,
    /// The union of named and nested classes.
    classes: CharSet,
}

impl Members {
    fn add(&mut self, low: u32, high: u32) {
        self.ranges.push((low, high));
    }

    fn add_class(&mut self, class: &CharSet) {
        self.classes = if self.classes.is_empty() { class.clone() } else { merge(&self.classes, class) };
    }

    fn finish(self, parser: &Parser, negated: bool) -> CharSet {
        let mut set = parser.folded(CharSet::from_ranges(self.ranges));
        if !self.classes.is_empty() {
            set = merge(&set, &self.classes).cut_to(parser.alphabet);
        }
        if negated { set.complement(parser.alphabet) } else { set }
    }
}

/// A member as written.
enum Member {
    Char(u32),
    Class(std::sync::Arc<CharSet>),
    Nothing,
}

impl Parser {
    /// Reads a class whose opening bracket, at `at`, is already taken.
    pub(crate) fn class(&mut self, at: usize) -> Result<CharSet, ParseError> {
        self.class_depth += 1;
        if self.class_depth > NESTING_LIMIT / 4 {
            return Err(ParseError::limit(
                self.cursor.offset(at),
                format!("classes nest deeper than the limit of {}", NESTING_LIMIT / 4),
            ));
        }
        let set = match self.engine {
            Engine::Dotnet => self.dotnet_class(at),
            Engine::Java => self.java_class(at, true),
            Engine::Pcre2 => self.pcre2_class(at),
        };
        self.class_depth -= 1;
        set
    }

    fn unclosed(&self, at: usize) -> ParseError {
        self.syntax(at, "the class is not closed: a ']' is missing")
    }

    /// Takes one character or escape inside brackets.
    fn member(&mut self, open: usize) -> Result<Member, ParseError> {
        let at = self.cursor.at();
        let Some(c) = self.cursor.next() else { return Err(self.unclosed(open)) };
        if c != u32::from('\\') || self.quoting {
            return self.in_alphabet(at, c).map(Member::Char);
        }
        match self.escape(at, true)? {
            Escape::Nothing => Ok(Member::Nothing),
            Escape::Char(c) => self.in_alphabet(at, c).map(Member::Char),
            Escape::Set(set) => Ok(Member::Class(set)),
            Escape::Node(_) => Err(self.syntax(at, "this escape is no character and no class")),
        }
    }

    /// A class of `utf16` cannot hold a character that is two units.
    fn in_alphabet(&self, at: usize, c: u32) -> Result<u32, ParseError> {
        if self.alphabet == Alphabet::Utf16 && c > 0xFFFF {
            return Err(self.unsupported(
                at,
                "a character above FFFF is two in the alphabet utf16 and cannot be in a class; use unicode",
            ));
        }
        Ok(c)
    }

    fn check_range(&self, at: usize, low: u32, high: u32) -> Result<(), ParseError> {
        if low > high { Err(self.syntax(at, "the range is the wrong way round")) } else { Ok(()) }
    }

    fn no_range(&self, at: usize) -> ParseError {
        self.syntax(at, "a class cannot be the end of a range; write \\- for the hyphen")
    }

    fn dotnet_class(&mut self, open: usize) -> Result<CharSet, ParseError> {
        let negated = self.cursor.eat("^");
        let mut members = Members::default();
        let mut subtracted = None;
        let mut first = true;
        // Where a range whose end is still to come starts, and with what.
        let mut start: Option<(usize, u32)> = None;
        loop {
            let at = self.cursor.at();
            let Some(c) = self.cursor.peek() else { return Err(self.unclosed(open)) };
            if c == ']' && !first {
                self.cursor.skip(1);
                break;
            }
            let was_first = std::mem::replace(&mut first, false);
            let escaped = c == '\\';
            if escaped && self.cursor.peek_at(1) == Some('-') {
                self.cursor.skip(2);
                match start.take() {
                    Some((from, low)) => {
                        self.check_range(from, low, u32::from('-'))?;
                        members.add(low, u32::from('-'));
                    }
                    None => members.add(u32::from('-'), u32::from('-')),
                }
                continue;
            }
            let value = match self.member(open)? {
                Member::Nothing => continue,
                Member::Class(_) if start.is_some() => return Err(self.no_range(at)),
                Member::Class(set) => {
                    members.add_class(&set);
                    continue;
                }
                Member::Char(value) => value,
            };
            let bracket = !escaped && c == '[';
            if bracket && self.cursor.peek() == Some(':') && start.is_none() {
                // A POSIX name means nothing here: it is read, and what remains is the bracket.
                let from = self.cursor.at();
                self.cursor.skip(1);
                let _ = self.cursor.take_while(usize::MAX, |c| c == '_' || c.is_alphanumeric());
                if !self.cursor.eat(":]") {
                    self.cursor.seek(from);
                }
            }
            if let Some((from, low)) = start.take() {
                if bracket && !was_first {
                    members.add(low, low);
                    subtracted = Some(self.subtraction(at)?);
                } else {
                    self.check_range(from, low, value)?;
                    members.add(low, value);
                }
            } else if self.cursor.peek() == Some('-') && self.cursor.peek_at(1).is_some_and(|c| c != ']') {
                self.cursor.skip(1);
                start = Some((at, value));
            } else if c == '-' && !escaped && !was_first && self.cursor.eat("[") {
                subtracted = Some(self.subtraction(at)?);
            } else {
                members.add(value, value);
            }
        }
        let set = members.finish(self, negated);
        Ok(match subtracted {
            Some(less) => set.difference(&less),
            None => set,
        })
    }

    /// The class to be subtracted; its opening bracket is taken.
    fn subtraction(&mut self, at: usize) -> Result<CharSet, ParseError> {
        let less = self.class(at)?;
        match self.cursor.peek() {
            Some(']') => Ok(less),
            Some(_) => Err(self.syntax(at, "a subtraction must be the last thing in its class")),
            None => Err(self.unclosed(at)),
        }
    }
}
