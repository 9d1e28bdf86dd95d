//! What an opening parenthesis opens.

use harness_model::Dialect;

use crate::error::ParseError;
use crate::parser::Parser;

/// What it opens.
pub(crate) enum Opening {
    /// A capturing group, named or not.
    Capture,
    /// A group that only groups.
    Plain,
    /// A group that is not tried otherwise once it has matched.
    Atomic,
    /// Nothing: flags for the rest of the enclosing group.
    Nothing,
}

const NOT_REGULAR: &str = "is not regular";

impl Parser {
    /// Reads what stands after the parenthesis at `at`, as far as it belongs to it.
    pub(crate) fn opening(&mut self, at: usize) -> Result<Opening, ParseError> {
        self.cursor.skip(1);
        if self.dialect == Dialect::Pcre2 && self.cursor.peek() == Some('*') {
            return Err(self.unsupported(at, "verbs such as (*UTF) or (*FAIL) are not modelled"));
        }
        if !self.cursor.eat("?") {
            return Ok(if self.flags.explicit { Opening::Plain } else { Opening::Capture });
        }
        let kind = self.cursor.peek();
        let next = self.cursor.peek_at(1);
        match (kind, next, self.dialect) {
            (Some(':'), _, _) => {
                self.cursor.skip(1);
                Ok(Opening::Plain)
            }
            (Some('|'), _, Dialect::Pcre2) => {
                // Alternatives count their groups from the same number: no matter for the language.
                self.cursor.skip(1);
                Ok(Opening::Plain)
            }
            (Some('>'), _, _) => {
                self.cursor.skip(1);
                Ok(Opening::Atomic)
            }
            (Some('=' | '!'), _, _) => {
                Err(self.unsupported(at, "look-ahead is not modelled; match the two expressions apart"))
            }
            (Some('<'), Some('=' | '!'), _) => {
                Err(self.unsupported(at, "look-behind is not modelled; match the two expressions apart"))
            }
            (Some('<'), _, _) => self.name(at, 1, '>'),
            (Some('\''), _, Dialect::Dotnet | Dialect::Pcre2) => self.name(at, 1, '\''),
            (Some('P'), Some('<'), Dialect::Pcre2) => self.name(at, 2, '>'),
            (Some('P'), Some('='), Dialect::Pcre2) => {
                Err(self.unsupported(at, format!("a back-reference {NOT_REGULAR}")))
            }
            (Some('P'), Some('>'), Dialect::Pcre2) | (Some('R' | '&' | '0'..='9'), _, Dialect::Pcre2) => {
                Err(self.unsupported(at, format!("recursion {NOT_REGULAR}")))
            }
            (Some('+' | '-'), Some('0'..='9'), Dialect::Pcre2) => {
                Err(self.unsupported(at, format!("recursion {NOT_REGULAR}")))
            }
            (Some('C'), _, Dialect::Pcre2) => Err(self.unsupported(at, "callouts are not modelled")),
            (Some('('), _, Dialect::Dotnet | Dialect::Pcre2) => {
                Err(self.unsupported(at, "a condition on what a group has matched is not modelled"))
            }
            _ => self.flag_group(),
        }
    }

    fn flag_group(&mut self) -> Result<Opening, ParseError> {
        let flags = self.flags.read(&mut self.cursor, self.dialect)?;
        let opens = self.cursor.peek() == Some(':');
        self.cursor.skip(1);
        self.flags = flags;
        Ok(if opens { Opening::Plain } else { Opening::Nothing })
    }

    /// A group's name, `skip` characters further on, up to `end`.
    fn name(&mut self, at: usize, skip: usize, end: char) -> Result<Opening, ParseError> {
        self.cursor.skip(skip);
        let from = self.cursor.at();
        let name = self.cursor.take_while(usize::MAX, |c| c.is_alphanumeric() || c == '_');
        if self.dialect == Dialect::Dotnet && self.cursor.peek() == Some('-') {
            return Err(self.unsupported(at, format!("a balancing group {NOT_REGULAR}")));
        }
        let legal = match self.dialect {
            Dialect::Java => {
                name.starts_with(|c: char| c.is_ascii_alphabetic())
                    && name.chars().all(|c| c.is_ascii_alphanumeric())
            }
            Dialect::Pcre2 => name.len() <= 32 && !name.starts_with(|c: char| c.is_numeric()),
            Dialect::Dotnet | Dialect::Rust => name != "0",
        };
        if name.is_empty() || !legal || self.cursor.peek() != Some(end) {
            return Err(self.syntax(from, format!("this is no name of a group of {}", self.dialect)));
        }
        if self.dialect != Dialect::Dotnet && self.group_names.contains(&name) {
            return Err(self.syntax(from, format!("there is another group named '{name}'; name them apart")));
        }
        self.cursor.skip(1);
        self.group_names.push(name);
        Ok(Opening::Capture)
    }
}
