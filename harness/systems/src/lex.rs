//! Text to tokens, as far as DPRLE's and HAMPI's files agree; the rest is told by [`Manner`].

use harness_model::Char;
use harness_theory::Position;

use crate::{ErrorKind, ReadError};

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// Letters, digits and underscores; of HAMPI dots too, and anything between back quotes.
    Name(String),
    /// Digits alone, and their value where it is below 2^32.
    Number(String, Option<u32>),
    /// HAMPI's text in double quotes, and the characters that it stands for.
    Text(Vec<Char>),
    /// One character: in single quotes, or by its code.
    Character(Char),
    /// Anything else: `:=`, `?<`, `->`, or one character.
    Sign(String),
    /// The end of the text.
    End,
}

impl Token {
    /// What is in messages after "found".
    pub fn found(&self) -> String {
        match self {
            Self::Name(name) | Self::Number(name, _) => format!("'{name}'"),
            Self::Text(_) => "a text in double quotes".to_owned(),
            Self::Character(c) => format!("the character {}", crate::automaton::symbol(*c)),
            Self::Sign(sign) => format!("'{sign}'"),
            Self::End => "the end of the text".to_owned(),
        }
    }
}

/// How the two formats differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Comments begin with `#`.
    Dprle,
    /// Comments begin with `//`, or are between `/*` and `*/`.
    Hampi,
}

impl Manner {
    const fn signs(self) -> &'static [&'static str] {
        match self {
            Self::Dprle => &["?<", "?=", "->"],
            Self::Hampi => &[":=", ".."],
        }
    }
}

/// Tokens with their places.
#[derive(Debug)]
pub struct Tokens {
    all: Vec<(Token, Position)>,
    next: usize,
}

impl Tokens {
    /// Reads all of `text`.
    ///
    /// # Errors
    ///
    /// When there is no token of this manner.
    pub fn read(text: &str, manner: Manner) -> Result<Self, ReadError> {
        let mut scanner = Scanner { rest: text, at: Position { line: 1, column: 1 }, manner };
        let mut all = Vec::new();
        loop {
            scanner.skip()?;
            let position = scanner.at;
            let token = scanner.token()?;
            let end = token == Token::End;
            all.push((token, position));
            if end {
                return Ok(Self { all, next: 0 });
            }
        }
    }

    /// The next token, which stays.
    pub fn peek(&self) -> &Token {
        &self.all[self.next].0
    }

    /// The token after the next one, which stays.
    pub fn second(&self) -> &Token {
        &self.all[(self.next + 1).min(self.all.len() - 1)].0
    }

    /// Where the next token is.
    pub fn position(&self) -> Position {
        self.all[self.next].1
    }

    /// Takes the next token; the end stays.
    pub fn take(&mut self) -> Token {
        let token = self.all[self.next].0.clone();
        self.next = (self.next + 1).min(self.all.len() - 1);
        token
    }

    /// Whether the next token is this sign.
    pub fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(found) if found == sign)
    }

    /// Whether the next token is this word.
    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Name(found) if found == word)
    }

    /// Takes this sign if it is next.
    pub fn accept(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.take();
        }
        found
    }

    /// Takes this word if it is next.
    pub fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.take();
        }
        found
    }

    /// Takes this sign.
    ///
    /// # Errors
    ///
    /// When something else is next; `what` is what the sign would have been for.
    pub fn sign(&mut self, sign: &str, what: &str) -> Result<(), ReadError> {
        if self.accept(sign) { Ok(()) } else { Err(self.expected(&format!("'{sign}' {what}"))) }
    }

    /// Takes a name.
    ///
    /// # Errors
    ///
    /// When something else is next.
    pub fn name(&mut self, what: &str) -> Result<String, ReadError> {
        match self.peek() {
            Token::Name(name) => {
                let name = name.clone();
                self.take();
                Ok(name)
            }
            Token::Number(..) | Token::Text(_) | Token::Character(_) | Token::Sign(_) | Token::End => {
                Err(self.expected(what))
            }
        }
    }

    /// Takes a number below 2^32.
    ///
    /// # Errors
    ///
    /// When something else is next.
    pub fn number(&mut self, what: &str) -> Result<u32, ReadError> {
        match *self.peek() {
            Token::Number(_, Some(value)) => {
                self.take();
                Ok(value)
            }
            Token::Number(_, None) => Err(self.expected(&format!("{what} below 2^32"))),
            Token::Name(_) | Token::Text(_) | Token::Character(_) | Token::Sign(_) | Token::End => {
                Err(self.expected(what))
            }
        }
    }

    /// The error that something else was expected here.
    pub fn expected(&self, what: &str) -> ReadError {
        illegal(self.position(), format!("expected {what}, found {}", self.peek().found()))
    }
}

/// A text that is not legal.
pub fn illegal(position: Position, message: impl Into<String>) -> ReadError {
    ReadError { position, kind: ErrorKind::Illegal, message: message.into() }
}

/// What is left of the text.
struct Scanner<'a> {
    rest: &'a str,
    at: Position,
    manner: Manner,
}

impl Scanner<'_> {
    fn step(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let c = chars.next()?;
        self.rest = chars.as_str();
        if c == '\n' {
            self.at = Position { line: self.at.line.saturating_add(1), column: 1 };
        } else {
            self.at.column = self.at.column.saturating_add(1);
        }
        Some(c)
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.step();
        }
    }

    fn first(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Skips blanks and comments.
    fn skip(&mut self) -> Result<(), ReadError> {
        loop {
            let line = match self.manner {
                Manner::Dprle => self.rest.starts_with('#'),
                Manner::Hampi => self.rest.starts_with("//"),
            };
            if line {
                while self.first().is_some_and(|c| c != '\n') {
                    self.step();
                }
            } else if self.manner == Manner::Hampi && self.rest.starts_with("/*") {
                let start = self.at;
                self.steps(2);
                while !self.rest.starts_with("*/") {
                    if self.step().is_none() {
                        return Err(illegal(
                            start,
                            "expected '*/' after this '/*', found the end of the text",
                        ));
                    }
                }
                self.steps(2);
            } else if self.first().is_some_and(char::is_whitespace) {
                self.step();
            } else {
                return Ok(());
            }
        }
    }

    fn token(&mut self) -> Result<Token, ReadError> {
        let Some(c) = self.first() else { return Ok(Token::End) };
        let hampi = self.manner == Manner::Hampi;
        match c {
            '\'' => self.quoted(),
            '\\' => self.code(),
            '"' if hampi => self.text(),
            '`' if hampi => {
                let start = self.at;
                self.step();
                let mut name = String::new();
                loop {
                    match self.step() {
                        Some('`') => return Ok(Token::Name(name)),
                        // SMT-LIB has no name with these.
                        Some('|' | '\\') => {
                            return Err(illegal(start, r"expected a name without '|' and '\'"));
                        }
                        Some(c) => name.push(c),
                        None => {
                            return Err(illegal(start, "expected a second '`', found the end of the text"));
                        }
                    }
                }
            }
            c if c.is_alphanumeric() || c == '_' => Ok(self.word()),
            _ => {
                let sign = self.manner.signs().iter().find(|sign| self.rest.starts_with(**sign));
                let sign = sign.map_or_else(|| c.to_string(), |sign| (*sign).to_owned());
                self.steps(sign.chars().count());
                Ok(Token::Sign(sign))
            }
        }
    }

    /// A name or a number. Two dots are a sign of their own.
    fn word(&mut self) -> Token {
        let mut word = String::new();
        while let Some(c) = self.first() {
            let dot = self.manner == Manner::Hampi && c == '.' && !self.rest.starts_with("..");
            if !(c.is_alphanumeric() || c == '_' || dot) {
                break;
            }
            word.push(c);
            self.step();
        }
        if word.bytes().all(|b| b.is_ascii_digit()) {
            let value = word.parse().ok();
            return Token::Number(word, value);
        }
        Token::Name(word)
    }

    /// A character in single quotes. There are no escapes: a quote and a backslash stand for themselves; but
    /// DPRLE's codes may stand in quotes.
    fn quoted(&mut self) -> Result<Token, ReadError> {
        let start = self.at;
        self.step();
        let c = self.step();
        match (c, self.first()) {
            (Some(c), Some('\'')) => {
                self.step();
                Ok(Token::Character(Char(u32::from(c))))
            }
            _ => Err(illegal(start, "expected one character between single quotes")),
        }
    }

    /// A code: a backslash and three decimal digits, or, beyond bytes, `\u{…}` with hexadecimal ones.
    fn code(&mut self) -> Result<Token, ReadError> {
        let start = self.at;
        self.step();
        let wrong = || illegal(start, r"expected a code: '\' with three decimal digits, such as \010");
        if self.rest.starts_with("u{") {
            self.steps(2);
            let digits: String = self.rest.chars().take_while(char::is_ascii_hexdigit).take(6).collect();
            self.steps(digits.len());
            let value = u32::from_str_radix(&digits, 16).ok().filter(|&code| code <= Char::MAX.0);
            return match (value, self.step()) {
                (Some(code), Some('}')) => Ok(Token::Character(Char(code))),
                _ => Err(illegal(start, r"expected a code such as \u{3b1}, at most \u{2ffff}")),
            };
        }
        let digits: String = self.rest.chars().take_while(char::is_ascii_digit).take(3).collect();
        let code = digits.parse::<u32>().ok().filter(|_| digits.len() == 3).ok_or_else(wrong)?;
        self.steps(3);
        Ok(Token::Character(Char(code)))
    }

    fn text(&mut self) -> Result<Token, ReadError> {
        let start = self.at;
        self.step();
        let mut chars = Vec::new();
        loop {
            let here = self.at;
            let c = match self.step() {
                None => return Err(illegal(start, "expected a second '\"', found the end of the text")),
                Some('"') => return Ok(Token::Text(chars)),
                Some('\\') => match self.step() {
                    Some('b') => '\u{8}',
                    Some('t') => '\t',
                    Some('n') => '\n',
                    Some('f') => '\u{c}',
                    Some('r') => '\r',
                    Some(c @ ('"' | '\'' | '\\')) => c,
                    _ => {
                        let message = r#"expected one of the escapes \b \t \n \f \r \" \' \\"#;
                        return Err(illegal(here, message));
                    }
                },
                Some(c) => c,
            };
            chars.push(Char(u32::from(c)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, manner: Manner) -> Vec<String> {
        let mut tokens = Tokens::read(text, manner).unwrap();
        std::iter::from_fn(|| (*tokens.peek() != Token::End).then(|| tokens.take().found())).collect()
    }

    #[test]
    fn each_manner_has_its_comments_and_signs() {
        let dprle = "a ?< b; # comment ;\n c -> d on { '#', \\010 }";
        let expected =
            ["'a'", "'?<'", "'b'", "';'", "'c'", "'->'", "'d'", "'on'", "'{'", "the character '#'"];
        assert_eq!(all(dprle, Manner::Dprle)[..10], expected);
        let hampi = "var v:1..12; /* x\n*/ cfg S.1 := `a b` \"\\\"\" // y\n;";
        let expected =
            ["'var'", "'v'", "':'", "'1'", "'..'", "'12'", "';'", "'cfg'", "'S.1'", "':='", "'a b'"];
        assert_eq!(all(hampi, Manner::Hampi)[..11], expected);
    }

    #[test]
    fn faults_have_a_place() {
        let error = |text, manner| Tokens::read(text, manner).unwrap_err().to_string();
        assert_eq!(
            error("a <\n  'bc'", Manner::Dprle),
            "line 2 column 3: expected one character between single quotes"
        );
        let code = error("\\9", Manner::Dprle);
        assert!(code.starts_with("line 1 column 1: expected a code"), "{code}");
        assert!(error("/* x", Manner::Hampi).contains("'*/'"));
        assert!(error("\"\\x\"", Manner::Hampi).starts_with("line 1 column 2: "));
    }
}
