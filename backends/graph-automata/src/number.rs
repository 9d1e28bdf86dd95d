//! Transfer functions of numbers and codes in words. The study leaves these operations out. All exact: with
//! the number known, each says what the one word is, or excludes a set of words.

use backends_algebra::BooleanAlgebra;
use backends_api::Stop;
use backends_automata::Node;
use backends_graph::{IntVertex, StringVertex};
use harness_model::Char;
use harness_model::int::Int;

use crate::context::PropagationContext;

impl<A: BooleanAlgebra> PropagationContext<'_, '_, A> {
    /// `c` is the code of the one character of `s`; -1 when it has not just one.
    pub fn code_of(&mut self, s: StringVertex, c: IntVertex) -> Result<(), Stop> {
        if self.length(s) != 1 {
            self.require(*self.int(c) == Int::MINUS_ONE);
            return Ok(());
        }
        self.exactly(s, self.character(c).as_slice(), 1)
    }

    /// `r` is the character of code `c`, or empty.
    pub fn word_of_code(&mut self, c: IntVertex, r: StringVertex) -> Result<(), Stop> {
        let character = self.character(c);
        self.exactly(r, character.as_slice(), character.iter().len())
    }

    /// `i` is the number that the digits of `s` write; -1 when there is something else or nothing.
    pub fn number_of(&mut self, s: StringVertex, i: IntVertex) -> Result<(), Stop> {
        let n = self.length(s);
        if *self.int(i) == Int::MINUS_ONE {
            if n > 0 {
                let digits = self.digits(n)?;
                self.remove(s, digits, &[])?;
            }
            return Ok(());
        }
        if self.int(i).is_negative() {
            self.refute();
            return Ok(());
        }
        let digits = self.decimal(i);
        let zeros = n.saturating_sub(digits.len());
        let word: Vec<Char> = std::iter::repeat_n(Char::from(b'0'), zeros).chain(digits).collect();
        self.exactly(s, &word, n)
    }

    /// `r` are the digits of `i`; empty when it is negative.
    pub fn word_of_number(&mut self, i: IntVertex, r: StringVertex) -> Result<(), Stop> {
        let word = if self.int(i).is_negative() { Vec::new() } else { self.decimal(i) };
        let length = word.len();
        self.exactly(r, &word, length)
    }

    fn decimal(&self, i: IntVertex) -> Vec<Char> {
        self.int(i).to_string().bytes().map(Char::from).collect()
    }

    /// `v` is this word, which must have `length` characters.
    fn exactly(&mut self, v: StringVertex, word: &[Char], length: usize) -> Result<(), Stop> {
        let fits = word.len() == length && self.length(v) == length;
        if !self.require(fits) {
            return Ok(());
        }
        let node = if word.is_empty() { Node::EPSILON } else { self.word(word)? };
        self.narrow(v, node, &[])
    }
}
