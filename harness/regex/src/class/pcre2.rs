//! Classes of PCRE2: POSIX names, quotations, and no hyphen that could be taken for a range.

use harness_model::CharSet;

use super::{Member, Members};
use crate::error::ParseError;
use crate::parser::Parser;
use crate::unicode;

impl Parser {
    pub(super) fn pcre2_class(&mut self, open: usize) -> Result<CharSet, ParseError> {
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
        while self.cursor.eat("\\E") || self.cursor.eat("\\Q\\E") {}
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
                // A quotation begins; one of nothing ends at once.
                Member::Nothing => {
                    if self.quoting && self.cursor.eat("\\E") {
                        self.quoting = false;
                    }
                }
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
            "lower" | "upper" if self.flags.ignore_case => self.folded(set),
            _ => set.cut_to(self.alphabet),
        };
        Ok(if negated { set.complement(self.alphabet) } else { set })
    }
}
