//! `\p{...}`: how its name is written. What each engine takes for a name, and what it means by it, is in
//! `dotnet`, `java` and `pcre2`.
//!
//! A name that the engine does not know is a syntax error; one that it knows and this crate does not is
//! refused as such. Tables are those of `regex-syntax`, whose version of Unicode is newer than that of Java
//! 17 (13) and PCRE2 10.42 (14): what was assigned or changed since has the properties of the newer version.

mod dotnet;
mod java;
mod pcre2;

use harness_model::CharSet;

use crate::engine::Engine;
use crate::error::ParseError;
use crate::parser::Parser;

/// The categories of letters that have a case.
const CASED: [&str; 3] = ["Lu", "Ll", "Lt"];

impl Parser {
    /// Reads what follows `\p` or `\P` and gives its characters, cut to the alphabet.
    pub(crate) fn property(&mut self, at: usize, negated: bool) -> Result<CharSet, ParseError> {
        let (name, inverted) = self.property_name(at)?;
        let set = match self.engine {
            Engine::Dotnet => self.dotnet_property(at, &name)?,
            Engine::Java => self.java_property(at, &name)?,
            Engine::Pcre2 => self.pcre2_property(at, &name)?,
        };
        let set = set.cut_to(self.alphabet);
        Ok(if negated == inverted { set } else { set.complement(self.alphabet) })
    }

    /// The name, and whether a `^` before it turns it round.
    fn property_name(&mut self, at: usize) -> Result<(String, bool), ParseError> {
        if !self.cursor.eat("{") {
            if self.engine == Engine::Dotnet {
                return Err(self.syntax(at, "\\p wants a name in braces"));
            }
            let letter = self.cursor.take_while(1, |c| c.is_ascii_alphabetic());
            if letter.is_empty() {
                return Err(self.syntax(at, "\\p wants a letter or a name in braces"));
            }
            return Ok((letter, false));
        }
        let inverted = self.engine == Engine::Pcre2 && self.cursor.eat("^");
        let name = self.cursor.take_while(usize::MAX, |c| c != '}');
        if !self.cursor.eat("}") {
            return Err(self.syntax(at, "the name of the property is not closed: a '}' is missing"));
        }
        if name.is_empty() {
            return Err(self.syntax(at, "the name of the property is empty"));
        }
        Ok((name, inverted))
    }

    fn no_property(&self, at: usize, name: &str) -> ParseError {
        self.syntax(
            at,
            format!("'{name}' is no property of {}; general categories such as Lu are", self.engine),
        )
    }
}
