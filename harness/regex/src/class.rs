//! Bracketed classes. The dialects agree on little: each has a reader of its own, on one collector.
//!
//! - .NET: ranges, escapes, one subtraction at the end (`[a-z-[aeiou]]`); `[:name:]` is read and, but for its first
//!   bracket, thrown away
//! - Java: ranges, escapes, classes in classes, intersection (`&&`)
//! - PCRE2: ranges, escapes, POSIX names
//!
//! Ignoring case adds characters before a `^` negates; negation is over the alphabet.

use harness_model::{Alphabet, CharSet, Dialect};

use crate::NESTING_LIMIT;
use crate::error::ParseError;
use crate::escape::Escape;
use crate::node::merge;
use crate::parser::{Parser, is_blank};
use crate::unicode;

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
        let mut set = parser.folded(&CharSet::from_ranges(self.ranges));
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
        let set = match self.dialect {
            Dialect::Dotnet => self.dotnet_class(at),
            Dialect::Java => self.java_class(at, true),
            Dialect::Pcre2 | Dialect::Rust => self.pcre2_class(at),
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
        // The start of a range whose end is still to come.
        let mut start: Option<u32> = None;
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
                    Some(low) => {
                        self.check_range(at, low, u32::from('-'))?;
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
            if let Some(low) = start.take() {
                if bracket && !was_first {
                    members.add(low, low);
                    subtracted = Some(self.subtraction(at)?);
                } else {
                    self.check_range(at, low, value)?;
                    members.add(low, value);
                }
            } else if self.cursor.peek() == Some('-') && self.cursor.peek_at(1).is_some_and(|c| c != ']') {
                self.cursor.skip(1);
                start = Some(value);
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

    fn pcre2_class(&mut self, open: usize) -> Result<CharSet, ParseError> {
        if self.cursor.looking_at("[:<:]]") || self.cursor.looking_at("[:>:]]") {
            return Err(self.unsupported(open, "[[:<:]] and [[:>:]] are not modelled; write \\b"));
        }
        let negated = self.cursor.eat("^");
        let mut members = Members::default();
        let mut first = true;
        loop {
            let at = self.cursor.at();
            if self.quoting && self.cursor.eat("\\E") {
                self.quoting = false;
                continue;
            }
            let Some(c) = self.cursor.peek() else { return Err(self.unclosed(open)) };
            if !self.quoting {
                if self.flags.extended_more && matches!(c, ' ' | '\t') {
                    self.cursor.skip(1);
                    continue;
                }
                if c == ']' && !first {
                    self.cursor.skip(1);
                    break;
                }
                if c == '[' && self.is_posix() {
                    let class = self.posix_class(at)?;
                    members.add_class(&class);
                    self.no_hyphen_after_class()?;
                    first = false;
                    continue;
                }
            }
            let low = match self.member(open)? {
                Member::Nothing => continue,
                Member::Class(set) => {
                    members.add_class(&set);
                    self.no_hyphen_after_class()?;
                    first = false;
                    continue;
                }
                Member::Char(low) => low,
            };
            first = false;
            match self.pcre2_range_end(open)? {
                Some(high) => {
                    self.check_range(at, low, high)?;
                    members.add(low, high);
                }
                None => members.add(low, low),
            }
        }
        Ok(members.finish(self, negated))
    }

    /// The end of a range, if a hyphen and something that can end one follow.
    fn pcre2_range_end(&mut self, open: usize) -> Result<Option<u32>, ParseError> {
        if self.quoting {
            if !self.cursor.looking_at("\\E") {
                return Ok(None);
            }
            self.cursor.skip(2);
            self.quoting = false;
        }
        let before = self.cursor.at();
        if !self.cursor.eat("-") {
            return Ok(None);
        }
        if self.cursor.peek() == Some(']') {
            self.cursor.seek(before);
            return Ok(None);
        }
        loop {
            let at = self.cursor.at();
            if !self.quoting && self.cursor.peek() == Some('[') && self.is_posix() {
                return Err(self.no_range(at));
            }
            match self.member(open)? {
                Member::Nothing => {}
                Member::Class(_) => return Err(self.no_range(at)),
                Member::Char(high) => return Ok(Some(high)),
            }
        }
    }

    fn no_hyphen_after_class(&self) -> Result<(), ParseError> {
        if self.cursor.peek() == Some('-') && self.cursor.peek_at(1).is_some_and(|c| c != ']') {
            return Err(self.no_range(self.cursor.at()));
        }
        Ok(())
    }

    /// Whether `[:...:]`, `[....]` or `[=...=]` begins here.
    fn is_posix(&self) -> bool {
        let Some(mark @ (':' | '.' | '=')) = self.cursor.peek_at(1) else { return false };
        let mut ahead = 2;
        loop {
            match (self.cursor.peek_at(ahead), self.cursor.peek_at(ahead + 1)) {
                (Some(c), Some(']')) if c == mark => return true,
                (Some('\\'), Some(']' | '\\')) => ahead += 2,
                (Some('['), Some(c)) if c == mark => return false,
                (None | Some(']'), _) => return false,
                _ => ahead += 1,
            }
        }
    }

    fn posix_class(&mut self, at: usize) -> Result<CharSet, ParseError> {
        self.cursor.skip(1);
        if !self.cursor.eat(":") {
            return Err(self.syntax(at, "collating elements are not supported"));
        }
        let negated = self.cursor.eat("^");
        let name = self.cursor.take_while(usize::MAX, |c| c != ':');
        let set = unicode::posix(&name).ok_or_else(|| {
            self.syntax(at, format!("'{name}' is no POSIX class; alpha, digit or space are"))
        })?;
        self.cursor.skip(2);
        // The cased ones lose their case.
        let set = match name.as_str() {
            "lower" | "upper" if self.flags.ignore_case => self.folded(&set),
            _ => set.cut_to(self.alphabet),
        };
        Ok(if negated { set.complement(self.alphabet) } else { set })
    }

    /// Skips what Java does not see inside brackets either.
    fn skip_java_blanks(&mut self) {
        if !self.flags.extended || self.quoting {
            return;
        }
        loop {
            let at = self.cursor.at();
            let _ = self.cursor.take_while(usize::MAX, |c| is_blank(c, Dialect::Java));
            if self.cursor.peek() == Some('#') {
                let _ = self.cursor.take_while(usize::MAX, |c| {
                    !matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
                });
            }
            if self.cursor.at() == at {
                return;
            }
        }
    }

    /// A class of Java. An operand of `&&` that is written without brackets reaches to the end of its class, whose
    /// bracket it leaves (`bracketed` is false).
    fn java_class(&mut self, open: usize, bracketed: bool) -> Result<CharSet, ParseError> {
        let negated = bracketed && self.cursor.eat("^");
        let mut members = Members::default();
        // What is before the last `&&`, and whether anything was read since.
        let mut left: Option<CharSet> = None;
        let mut any = false;
        loop {
            self.skip_java_blanks();
            if self.quoting && self.cursor.eat("\\E") {
                self.quoting = false;
                continue;
            }
            let at = self.cursor.at();
            let Some(c) = self.cursor.peek() else { return Err(self.unclosed(open)) };
            match c {
                _ if self.quoting => {}
                ']' if any || left.is_some() => {
                    if bracketed {
                        self.cursor.skip(1);
                    }
                    break;
                }
                '[' => {
                    self.cursor.skip(1);
                    let inner = self.class(at)?;
                    members.add_class(&inner);
                    any = true;
                    continue;
                }
                '&' if self.cursor.eat("&&") => {
                    let so_far = std::mem::take(&mut members).finish(self, false);
                    let so_far = match left.take() {
                        Some(before) => merge(&before, &so_far),
                        None => so_far,
                    };
                    let right = self.java_operand(open)?;
                    left = match (std::mem::replace(&mut any, false) || !so_far.is_empty(), right) {
                        (true, Some(right)) => Some(so_far.intersection(&right)),
                        (true, None) => Some(so_far),
                        (false, Some(right)) => Some(right),
                        (false, None) => return Err(self.syntax(at, "'&&' has nothing on either side")),
                    };
                    continue;
                }
                _ => {}
            }
            self.java_range(open, &mut members)?;
            any = true;
        }
        let set = match left {
            Some(left) => merge(&left, &members.finish(self, false)),
            None => members.finish(self, false),
        };
        Ok(if negated { set.complement(self.alphabet) } else { set })
    }

    /// What stands to the right of `&&`, up to the next one or to the end of the class.
    fn java_operand(&mut self, open: usize) -> Result<Option<CharSet>, ParseError> {
        let mut right: Option<CharSet> = None;
        loop {
            self.skip_java_blanks();
            let at = self.cursor.at();
            let part = match self.cursor.peek() {
                Some('[') => {
                    self.cursor.skip(1);
                    self.class(at)?
                }
                Some(']' | '&') => return Ok(right),
                Some(_) => {
                    self.class_depth += 1;
                    if self.class_depth > NESTING_LIMIT / 4 {
                        return Err(ParseError::limit(
                            self.cursor.offset(at),
                            format!("classes nest deeper than the limit of {}", NESTING_LIMIT / 4),
                        ));
                    }
                    let part = self.java_class(open, false)?;
                    self.class_depth -= 1;
                    part
                }
                None => return Err(self.unclosed(open)),
            };
            right = Some(match right {
                Some(before) => merge(&before, &part),
                None => part,
            });
        }
    }

    fn java_range(&mut self, open: usize, members: &mut Members) -> Result<(), ParseError> {
        let at = self.cursor.at();
        let low = match self.member(open)? {
            Member::Nothing => return Ok(()),
            Member::Class(set) => {
                members.add_class(&set);
                return Ok(());
            }
            Member::Char(low) => low,
        };
        self.skip_java_blanks();
        let hyphen = self.cursor.peek() == Some('-') && !self.quoting;
        if hyphen && !matches!(self.cursor.peek_at(1), Some('[' | ']') | None) {
            self.cursor.skip(1);
            self.skip_java_blanks();
            let end = self.cursor.at();
            let high = match self.member(open)? {
                Member::Char(high) => high,
                Member::Class(_) | Member::Nothing => return Err(self.no_range(end)),
            };
            self.check_range(at, low, high)?;
            members.add(low, high);
        } else {
            members.add(low, low);
        }
        Ok(())
    }
}
