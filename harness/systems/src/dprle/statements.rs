//! The statements of a file, one after the other.

use std::sync::Arc;

use harness_model::Alphabet;
use harness_theory::Position;

use super::automata::automaton;
use super::{language, relation};
use crate::ReadError;
use crate::document::RequestKind;
use crate::language::Language;
use crate::lex::{Manner, Token, Tokens};
use crate::system::Relation;

/// The most names in a concatenation.
pub const PIECES: usize = 10_000;

/// How many words `strings` shows where nothing else is said.
const WORDS: usize = 10;

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// The concatenation of these names is within the right side.
    Subset(Vec<String>, Right),
    /// A name for a concatenation.
    Name(String, Vec<String>),
    /// A question about the solution.
    Ask(RequestKind),
    /// A command.
    Call(Call),
}

/// The right side of an inclusion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Right {
    /// A name.
    Name(String),
    /// The words of an automaton, or all others.
    Language(Relation, Arc<Language>),
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// `solve` or `solve_all`; how many solutions are wanted is said with the question, not in the file.
    Solve,
    /// Remembers what holds.
    Push,
    /// Goes back to what was remembered.
    Pop,
    /// Nothing holds any more.
    Reset,
    /// Languages of the solution.
    Show(Vec<String>),
    /// So many words of them.
    Words(usize, Vec<String>),
    /// Another solution.
    Select(usize),
    /// None of these.
    Unknown(String),
}

/// Reads the statements of a file.
///
/// # Errors
///
/// When it has something else.
pub fn statements(text: &str, alphabet: Alphabet) -> Result<Vec<(Statement, Position)>, ReadError> {
    let mut tokens = Tokens::read(text, Manner::Dprle)?;
    let mut all = Vec::new();
    while *tokens.peek() != Token::End {
        let position = tokens.position();
        let statement = statement(&mut tokens, alphabet)?;
        tokens.sign(";", "at the end of a statement")?;
        all.push((statement, position));
    }
    Ok(all)
}

fn statement(tokens: &mut Tokens, alphabet: Alphabet) -> Result<Statement, ReadError> {
    let first = tokens.name("a statement: a name, or a command such as solve()")?;
    if tokens.accept("(") {
        return call(first, tokens).map(Statement::Call);
    }
    if tokens.accept("=") || tokens.accept_word("alias") {
        let parts = concatenation(tokens.name("a name")?, tokens)?;
        return Ok(Statement::Name(first, parts));
    }
    if tokens.accept("?<") {
        return Ok(Statement::Ask(RequestKind::Included(first, tokens.name("a name")?)));
    }
    if tokens.accept("?=") {
        return Ok(Statement::Ask(RequestKind::Equal(first, tokens.name("a name")?)));
    }
    let left = concatenation(first, tokens)?;
    if !(tokens.accept("<") || tokens.accept_word("subset")) {
        return Err(tokens.expected("'.', '<', '=', '?<', '?=' or '(' after a name"));
    }
    let negated = tokens.accept_word("neg");
    let right = if tokens.is_sign("[") {
        Right::Language(relation(negated), language(automaton(tokens, alphabet)?))
    } else if negated {
        return Err(tokens.expected("'[' of an automaton after 'neg'"));
    } else {
        Right::Name(tokens.name("a name, an automaton in '[' and ']', or 'neg' with one")?)
    };
    Ok(Statement::Subset(left, right))
}

/// The names of a concatenation whose first one was taken.
fn concatenation(first: String, tokens: &mut Tokens) -> Result<Vec<String>, ReadError> {
    let mut parts = vec![first];
    while tokens.accept(".") {
        if parts.len() == PIECES {
            return Err(tokens.expected(&format!("at most {PIECES} names in a concatenation")));
        }
        parts.push(tokens.name("a name after '.'")?);
    }
    Ok(parts)
}

/// A command whose name and bracket were taken.
fn call(name: String, tokens: &mut Tokens) -> Result<Call, ReadError> {
    let place = tokens.position();
    let (mut number, mut names) = (None, Vec::new());
    while !tokens.accept(")") {
        match tokens.peek() {
            Token::Number(_, Some(value)) if number.is_none() && names.is_empty() => {
                number = Some(*value as usize);
                tokens.take();
            }
            Token::Name(_) => names.push(tokens.name("a name")?),
            Token::Number(..) | Token::Text(_) | Token::Character(_) | Token::Sign(_) | Token::End => {
                return Err(tokens.expected("a name, or ')'"));
            }
        }
        if !tokens.accept(",") && !tokens.is_sign(")") {
            return Err(tokens.expected("',' or ')'"));
        }
    }
    let none = number.is_none() && names.is_empty();
    let wrong = |what: &str| Err(crate::lex::illegal(place, format!("expected {what} in '{name}(…)'")));
    Ok(match name.as_str() {
        "solve" | "solve_all" | "push" | "pop" | "reset" if !none => return wrong("nothing"),
        "solve" | "solve_all" => Call::Solve,
        "push" => Call::Push,
        "pop" => Call::Pop,
        "reset" => Call::Reset,
        "show" if number.is_some() => return wrong("names"),
        "show" => Call::Show(names),
        "strings" => Call::Words(number.unwrap_or(WORDS), names),
        "select" => match (number, names.is_empty()) {
            (Some(number), true) => Call::Select(number),
            _ => return wrong("a number"),
        },
        _ => Call::Unknown(name),
    })
}
