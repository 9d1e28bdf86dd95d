//! Automata in DPRLE's notation: `[ s: a f: b d: a -> b on { 'x' } … ]`.
//!
//! Beside what DPRLE reads there are ranges, `'a'-'z'`, and codes beyond bytes, `\u{…}`, in sets: answers are
//! written with them.

use std::collections::HashMap;

use harness_model::{Alphabet, CharSet};

use crate::ReadError;
use crate::automaton::{Automaton, Move};
use crate::lex::{Manner, Token, Tokens, illegal};

/// Reads the text of an automaton, and nothing after it.
///
/// # Errors
///
/// When it is none.
pub fn read_automaton(text: &str, alphabet: Alphabet) -> Result<Automaton, ReadError> {
    let mut tokens = Tokens::read(text, Manner::Dprle)?;
    let automaton = automaton(&mut tokens, alphabet)?;
    match tokens.peek() {
        Token::End => Ok(automaton),
        _ => Err(tokens.expected("nothing after an automaton")),
    }
}

/// The states by name.
#[derive(Default)]
struct States(HashMap<String, usize>);

impl States {
    fn read(&mut self, tokens: &mut Tokens) -> Result<usize, ReadError> {
        let name = tokens.name("the name of a state")?;
        let next = self.0.len();
        Ok(*self.0.entry(name).or_insert(next))
    }
}

/// An automaton that begins at the next token.
pub fn automaton(tokens: &mut Tokens, alphabet: Alphabet) -> Result<Automaton, ReadError> {
    tokens.sign("[", "of an automaton")?;
    let key = |tokens: &mut Tokens, key: &str, what: &str| {
        if !tokens.accept_word(key) {
            return Err(tokens.expected(&format!("'{key}:', {what}")));
        }
        tokens.sign(":", &format!("after '{key}'"))
    };
    let mut states = States::default();
    key(tokens, "s", "the start state")?;
    let start = states.read(tokens)?;
    key(tokens, "f", "the final state")?;
    let end = states.read(tokens)?;
    key(tokens, "d", "the transitions")?;
    let mut moves = Vec::new();
    while !tokens.accept("]") {
        if !matches!(tokens.peek(), Token::Name(_)) {
            return Err(tokens.expected("a transition such as a -> b on { 'x' }, or ']'"));
        }
        let from = states.read(tokens)?;
        tokens.sign("->", "after the state that a transition begins at")?;
        let to = states.read(tokens)?;
        if !tokens.accept_word("on") {
            return Err(tokens.expected("'on' and what the transition reads"));
        }
        let reads = label(tokens, alphabet)?;
        moves.push(Move { from, reads, to });
    }
    Ok(Automaton { states: states.0.len(), start, end, moves })
}

/// What a transition reads; `None` for nothing.
fn label(tokens: &mut Tokens, alphabet: Alphabet) -> Result<Option<CharSet>, ReadError> {
    if tokens.accept_word("epsilon") {
        return Ok(None);
    }
    if tokens.accept_word("any") {
        return Ok(Some(CharSet::full(alphabet)));
    }
    if tokens.accept_word("neg") {
        let position = tokens.position();
        return match set(tokens, alphabet)? {
            Some(set) => Ok(Some(set.complement(alphabet))),
            None => Err(illegal(position, "expected characters after 'neg', found epsilon")),
        };
    }
    if !tokens.is_sign("{") {
        return Err(tokens.expected("epsilon, any, '{' with characters, or 'neg' with these"));
    }
    set(tokens, alphabet)
}

/// Characters in braces; `None` for `epsilon` in them, which older files have.
fn set(tokens: &mut Tokens, alphabet: Alphabet) -> Result<Option<CharSet>, ReadError> {
    tokens.sign("{", "before characters")?;
    if tokens.accept_word("epsilon") {
        tokens.accept(",");
        tokens.sign("}", "after epsilon")?;
        return Ok(None);
    }
    let mut ranges = Vec::new();
    while !tokens.accept("}") {
        let low = character(tokens, alphabet)?;
        let position = tokens.position();
        let high = if tokens.accept("-") { character(tokens, alphabet)? } else { low };
        if high < low {
            return Err(illegal(position, "expected a range whose first character is the lower one"));
        }
        ranges.push((low, high));
        if !tokens.accept(",") && !tokens.is_sign("}") {
            return Err(tokens.expected("',' or '}' after a character"));
        }
    }
    Ok(Some(CharSet::from_ranges(ranges)))
}

fn character(tokens: &mut Tokens, alphabet: Alphabet) -> Result<u32, ReadError> {
    match *tokens.peek() {
        Token::Character(c) if alphabet.contains(c) => {
            tokens.take();
            Ok(c.0)
        }
        Token::Character(c) => Err(illegal(
            tokens.position(),
            format!("expected a character of {alphabet}, found U+{:04X}", c.0),
        )),
        Token::Name(_) | Token::Number(..) | Token::Text(_) | Token::Sign(_) | Token::End => {
            Err(tokens.expected("a character, such as 'a' or \\097"))
        }
    }
}
