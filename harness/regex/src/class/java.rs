//! Classes of Java: unions of classes in classes, and intersection. Blanks and comments do not count under
//! flag `x`, inside brackets either.

use harness_model::CharSet;

use super::{Member, Members};
use crate::NESTING_LIMIT;
use crate::engine::Engine;
use crate::error::ParseError;
use crate::node::merge;
use crate::parser::{Parser, is_blank};

impl Parser {
    /// Skips what Java does not see inside brackets either.
    fn skip_java_blanks(&mut self) {
        if !self.flags.extended || self.quoting {
            return;
        }
        loop {
            let at = self.cursor.at();
            let _ = self.cursor.take_while(usize::MAX, |c| is_blank(c, Engine::Java));
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

    /// A class of Java. An operand of `&&` that is written without brackets reaches to the end of its class,
    /// whose bracket it leaves (`bracketed` is false).
    pub(super) fn java_class(&mut self, open: usize, bracketed: bool) -> Result<CharSet, ParseError> {
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
        if self.quoting && self.cursor.eat("\\E") {
            self.quoting = false;
        }
        while !self.quoting && self.cursor.eat("\\Q\\E") {}
        self.skip_java_blanks();
        let hyphen = self.cursor.peek() == Some('-') && !self.quoting;
        if hyphen && !matches!(self.cursor.peek_at(1), Some('[' | ']') | None) {
            self.cursor.skip(1);
            self.skip_java_blanks();
            let end = self.cursor.at();
            let high = loop {
                match self.member(open)? {
                    Member::Char(high) => break high,
                    Member::Class(_) => return Err(self.no_range(end)),
                    // A quotation begins; one of nothing ends at once.
                    Member::Nothing => {
                        if self.quoting && self.cursor.eat("\\E") {
                            self.quoting = false;
                        }
                    }
                }
            };
            self.check_range(at, low, high)?;
            members.add(low, high);
        } else {
            members.add(low, low);
        }
        Ok(())
    }
}
