//! The text format of CFG Analyzer: `N : symbols ;`, then the other alternatives of `N` as `: symbols ;`.
//!
//! A terminal is in double quotes, with the escapes of SMT-LIB's strings; an alternative without symbols is
//! the empty word; the first non-terminal is the start symbol. Comments are `/* … */`. Alternatives of a
//! non-terminal may stand in several places. The reader does not recurse.

use std::fmt;

use harness_model::SmtString;
use rustc_hash::FxHashMap;

use crate::grammar::{Grammar, Rule, Symbol};

/// Where a text is no grammar, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {what}")]
pub struct GrammarError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What was expected, and what was found.
    pub what: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Name(String),
    Terminal(SmtString),
    Colon,
    Semicolon,
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "the non-terminal '{name}'"),
            Self::Terminal(word) => write!(f, "the terminal \"{word}\""),
            Self::Colon => f.write_str("':'"),
            Self::Semicolon => f.write_str("';'"),
            Self::End => f.write_str("the end of the text"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    line: usize,
    column: usize,
}

impl Place {
    fn error(self, what: impl Into<String>) -> GrammarError {
        GrammarError { line: self.line, column: self.column, what: what.into() }
    }
}

struct Scanner<'t> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
    place: Place,
}

impl Scanner<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.place = Place { line: self.place.line + 1, column: 1 };
        } else {
            self.place.column += 1;
        }
        Some(c)
    }

    /// The next token and where it starts.
    fn token(&mut self) -> Result<(Token, Place), GrammarError> {
        loop {
            let place = self.place;
            let Some(c) = self.next() else { return Ok((Token::End, place)) };
            match c {
                _ if c.is_whitespace() => {}
                ':' => return Ok((Token::Colon, place)),
                ';' => return Ok((Token::Semicolon, place)),
                '"' => return Ok((Token::Terminal(self.terminal(place)?), place)),
                '/' if self.rest.peek() == Some(&'*') => self.comment(place)?,
                _ if in_name(c) => {
                    let mut name = String::from(c);
                    while let Some(c) = self.rest.peek().copied().filter(|&c| in_name(c)) {
                        name.push(c);
                        self.next();
                    }
                    return Ok((Token::Name(name), place));
                }
                _ => {
                    return Err(place.error(format!(
                        "expected a non-terminal, a terminal in double quotes, ':' or ';', found {c:?}"
                    )));
                }
            }
        }
    }

    /// What is left of a comment that starts at `place`.
    fn comment(&mut self, place: Place) -> Result<(), GrammarError> {
        self.next();
        let mut before = ' ';
        while let Some(c) = self.next() {
            if (before, c) == ('*', '/') {
                return Ok(());
            }
            before = c;
        }
        Err(place.error("expected '*/' at the end of the comment that starts here"))
    }

    /// What is left of a terminal that starts at `place`.
    fn terminal(&mut self, place: Place) -> Result<SmtString, GrammarError> {
        let mut text = String::new();
        loop {
            match self.next() {
                Some('"') => break,
                Some('\n') | None => {
                    return Err(place.error("expected '\"' at the end of the terminal that starts here"));
                }
                Some(c) => text.push(c),
            }
        }
        SmtString::unescape(&text)
            .map_err(|c| place.error(format!("U+{:04X} is no character of SMT-LIB's strings", c.0)))
    }
}

/// Names are letters, digits and what grammars of programming languages put between them.
fn in_name(c: char) -> bool {
    c.is_alphanumeric() || "_.-'".contains(c)
}

/// Reads a grammar.
///
/// # Errors
///
/// Where the text is none: line, column, what was expected and found. A non-terminal without a rule is an
/// error.
///
/// ```
/// let grammar = harness_grammar::read("S : \"a\" S \"b\" ; : ;")?;
/// assert_eq!((grammar.names().len(), grammar.rules().len()), (1, 2));
/// # Ok::<(), harness_grammar::GrammarError>(())
/// ```
pub fn read(text: &str) -> Result<Grammar, GrammarError> {
    let mut scanner = Scanner { rest: text.chars().peekable(), place: Place { line: 1, column: 1 } };
    let mut names = Names::default();
    let mut rules: Vec<Rule> = Vec::new();
    let mut left: Option<usize> = None;
    loop {
        let (mut token, mut place) = scanner.token()?;
        if let Token::Name(name) = token {
            left = Some(names.number(name, place));
            (token, place) = scanner.token()?;
            if token != Token::Colon {
                return Err(
                    place.error(format!("expected ':' after the non-terminal of a rule, found {token}"))
                );
            }
        }
        match (token, left) {
            (Token::End, Some(_)) => break,
            (Token::End, None) => return Err(place.error("expected a rule, found the end of the text")),
            (Token::Colon, Some(left)) => {
                let right = alternative(&mut scanner, &mut names)?;
                rules.push(Rule { left, right });
            }
            (Token::Colon, None) => {
                return Err(place.error("expected a non-terminal before the first ':'"));
            }
            (token @ (Token::Terminal(_) | Token::Semicolon | Token::Name(_)), _) => {
                return Err(place.error(format!("expected a rule, or ':' and an alternative, found {token}")));
            }
        }
    }
    names.finish(rules)
}

/// The symbols of an alternative, up to its semicolon.
fn alternative(scanner: &mut Scanner<'_>, names: &mut Names) -> Result<Vec<Symbol>, GrammarError> {
    let mut right = Vec::new();
    loop {
        match scanner.token()? {
            (Token::Semicolon, _) => return Ok(right),
            (Token::Name(name), place) => right.push(Symbol::Nonterminal(names.number(name, place))),
            (Token::Terminal(word), _) => right.push(Symbol::Terminal(word)),
            (token @ (Token::Colon | Token::End), place) => {
                return Err(
                    place.error(format!("expected a symbol, or ';' after the alternative, found {token}"))
                );
            }
        }
    }
}

/// Non-terminals by number, and where each was first named.
#[derive(Default)]
struct Names {
    numbers: FxHashMap<String, usize>,
    names: Vec<(String, Place)>,
}

impl Names {
    fn number(&mut self, name: String, place: Place) -> usize {
        *self.numbers.entry(name).or_insert_with_key(|name| {
            self.names.push((name.clone(), place));
            self.names.len() - 1
        })
    }

    fn finish(self, rules: Vec<Rule>) -> Result<Grammar, GrammarError> {
        let mut ruled = vec![false; self.names.len()];
        for rule in &rules {
            ruled[rule.left] = true;
        }
        if let Some(missing) = ruled.iter().position(|ruled| !ruled) {
            let (name, place) = &self.names[missing];
            return Err(place.error(format!("the non-terminal '{name}' has no rule: add '{name} : … ;'")));
        }
        let names = self.names.into_iter().map(|(name, _)| name).collect();
        Grammar::new(names, rules).ok_or_else(|| Place { line: 1, column: 1 }.error("expected a rule"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn rules_are_read_in_order() {
        let grammar = read("/* two */ S : A \"b\u{e9}\" ;\n : ;\nA : \"a\" ; S : S S ;").unwrap();
        assert_eq!(grammar.names(), ["S", "A"]);
        let rights: Vec<(usize, usize)> = grammar.rules().iter().map(|r| (r.left, r.right.len())).collect();
        assert_eq!(rights, [(0, 2), (0, 0), (1, 1), (0, 2)]);
        assert_eq!(grammar.rules()[0].right[0], Symbol::Nonterminal(1));
    }

    #[test]
    fn faults_have_a_place() {
        assert_eq!(fault(""), "line 1, column 1: expected a rule, found the end of the text");
        assert_eq!(fault(": ;"), "line 1, column 1: expected a non-terminal before the first ':'");
        assert_eq!(
            fault("S\n; "),
            "line 2, column 1: expected ':' after the non-terminal of a rule, found ';'"
        );
        assert_eq!(
            fault("S : \"a\""),
            "line 1, column 8: expected a symbol, or ';' after the alternative, found the end of the text"
        );
        assert!(fault("S : \"a\n\" ;").starts_with("line 1, column 5: expected '\"'"));
        assert!(fault("S : A ; ").starts_with("line 1, column 5: the non-terminal 'A' has no rule"));
        assert!(fault("S : ; ;").contains("column 7: expected a rule, or ':'"));
        assert!(fault("S : & ;").contains("column 5: expected a non-terminal, a terminal"));
        assert!(fault("/* S : ;").contains("column 1: expected '*/'"));
    }
}
