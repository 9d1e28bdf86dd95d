//! What an opening parenthesis opens.

use crate::engine::Engine;
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
    /// A look-ahead; read only under a quantifier that allows no repetition at all.
    LookAhead,
    /// Nothing: flags for the rest of the enclosing group.
    Nothing,
}

const NOT_REGULAR: &str = "is not regular";

impl Parser {
    /// Reads what stands after the parenthesis at `at`, as far as it belongs to it.
    pub(crate) fn opening(&mut self, at: usize) -> Result<Opening, ParseError> {
        self.cursor.skip(1);
        if self.engine == Engine::Pcre2 && self.cursor.peek() == Some('*') {
            return Err(self.unsupported(at, "verbs such as (*UTF) or (*FAIL) are not modelled"));
        }
        if !self.cursor.eat("?") {
            return Ok(if self.flags.explicit { Opening::Plain } else { Opening::Capture });
        }
        let kind = self.cursor.peek();
        let next = self.cursor.peek_at(1);
        match (kind, next, self.engine) {
            (Some(':'), _, _) => {
                self.cursor.skip(1);
                Ok(Opening::Plain)
            }
            (Some('|'), _, Engine::Pcre2) => {
                // Alternatives count their groups from the same number: no matter for the language.
                self.cursor.skip(1);
                self.numbered_anew = true;
                Ok(Opening::Plain)
            }
            (Some('>'), _, _) => {
                self.cursor.skip(1);
                Ok(Opening::Atomic)
            }
            (Some('=' | '!'), _, _) => {
                self.cursor.skip(1);
                Ok(Opening::LookAhead)
            }
            (Some('<'), Some('=' | '!'), _) => {
                Err(self.unsupported(at, "look-behind is not modelled; match the two expressions apart"))
            }
            (Some('<'), _, _) => self.name(at, 1, '>'),
            (Some('\''), _, Engine::Dotnet | Engine::Pcre2) => self.name(at, 1, '\''),
            (Some('P'), Some('<'), Engine::Pcre2) => self.name(at, 2, '>'),
            (Some('P'), Some('='), Engine::Pcre2) => {
                Err(self.unsupported(at, format!("a back-reference {NOT_REGULAR}")))
            }
            (Some('P'), Some('>'), Engine::Pcre2) | (Some('R' | '&' | '0'..='9'), _, Engine::Pcre2) => {
                Err(self.unsupported(at, format!("recursion {NOT_REGULAR}")))
            }
            (Some('+' | '-'), Some('0'..='9'), Engine::Pcre2) => {
                Err(self.unsupported(at, format!("recursion {NOT_REGULAR}")))
            }
            (Some('C'), _, Engine::Pcre2) => Err(self.unsupported(at, "callouts are not modelled")),
            (Some('('), _, Engine::Dotnet | Engine::Pcre2) => {
                Err(self.unsupported(at, "a condition on what a group has matched is not modelled"))
            }
            (Some(c), _, _) if !(c.is_ascii_alphabetic() || matches!(c, '-' | '+' | '^' | ')')) => {
                Err(self.syntax(at, format!("(?{c} opens no kind of group in {}", self.engine)))
            }
            (Some('P'), _, Engine::Java | Engine::Dotnet) => {
                Err(self
                    .syntax(at, format!("(?P opens no kind of group in {}; write (?<name>...)", self.engine)))
            }
            _ => self.flag_group(),
        }
    }

    fn flag_group(&mut self) -> Result<Opening, ParseError> {
        let flags = self.flags.read(&mut self.cursor, self.engine)?;
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
        if self.engine == Engine::Dotnet && self.cursor.peek() == Some('-') {
            return Err(self.unsupported(at, format!("a balancing group {NOT_REGULAR}")));
        }
        let legal = match self.engine {
            Engine::Java => {
                name.starts_with(|c: char| c.is_ascii_alphabetic())
                    && name.chars().all(|c| c.is_ascii_alphanumeric())
            }
            Engine::Pcre2 => name.len() <= 32 && !name.starts_with(|c: char| c.is_numeric()),
            Engine::Dotnet => name != "0",
        };
        if name.is_empty() || !legal || self.cursor.peek() != Some(end) {
            return Err(self.syntax(from, format!("this is no name of a group of {}", self.engine)));
        }
        let same = self.engine == Engine::Dotnet || self.flags.same_names;
        if !same && self.group_names.contains(&name) {
            if self.numbered_anew {
                return Err(self.unsupported(
                    from,
                    format!("whether two groups may be named '{name}' under (?| is not modelled"),
                ));
            }
            return Err(self.syntax(from, format!("there is another group named '{name}'; name them apart")));
        }
        self.cursor.skip(1);
        self.group_names.push(name);
        Ok(Opening::Capture)
    }
}
