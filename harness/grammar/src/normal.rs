//! A normal form for strategies: each rule is a character, or two symbols. What else there was, empty words
//! and rules that only rename, is in two tables.
//!
//! For every symbol and every length above 0, a word is derived by the symbol exactly if one of the symbols
//! that it [`may become`](NormalForm::becomes) has that character, or a pair whose first symbol derives a
//! first part of the word, which is not empty, and whose second symbol derives the rest, which is not empty
//! either.

use harness_model::Char;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::grammar::{Grammar, Symbol};

/// A grammar with at most two symbols on the right of a rule. Symbols are numbers; the start symbol is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalForm {
    characters: Vec<Vec<Char>>,
    pairs: Vec<Vec<(usize, usize)>>,
    empty: Vec<bool>,
    becomes: Vec<Vec<usize>>,
}

impl NormalForm {
    /// The normal form of a grammar.
    pub fn of(grammar: &Grammar) -> Self {
        let mut builder = Builder::new(grammar.names().len());
        for rule in grammar.rules() {
            let mut right = Vec::new();
            for symbol in &rule.right {
                match symbol {
                    Symbol::Terminal(word) => {
                        right.extend(word.chars().iter().map(|&c| builder.character(c)));
                    }
                    Symbol::Nonterminal(number) => right.push(*number),
                }
            }
            builder.rule(rule.left, &right);
        }
        builder.finish()
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there is no symbol; there is one in the normal form of every grammar.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Whether a symbol derives the empty word.
    pub fn has_empty(&self, symbol: usize) -> bool {
        self.empty[symbol]
    }

    /// The characters that a symbol has as rules.
    pub fn characters(&self, symbol: usize) -> &[Char] {
        &self.characters[symbol]
    }

    /// The pairs that a symbol has as rules.
    pub fn pairs(&self, symbol: usize) -> &[(usize, usize)] {
        &self.pairs[symbol]
    }

    /// What a symbol becomes without a character more or less, itself included.
    pub fn becomes(&self, symbol: usize) -> &[usize] {
        &self.becomes[symbol]
    }

    /// By symbol, whether it derives a word of each length from 0 to `longest`.
    pub fn lengths(&self, longest: usize) -> Vec<Vec<bool>> {
        let mut lengths = vec![vec![false; longest + 1]; self.len()];
        for (has, empty) in lengths.iter_mut().zip(&self.empty) {
            has[0] = *empty;
        }
        let mut own = vec![false; self.len()];
        for length in 1..=longest {
            for (symbol, own) in own.iter_mut().enumerate() {
                let pair = |&(first, second): &(usize, usize)| {
                    (1..length).any(|part| lengths[first][part] && lengths[second][length - part])
                };
                *own =
                    length == 1 && !self.characters[symbol].is_empty() || self.pairs[symbol].iter().any(pair);
            }
            for (symbol, has) in lengths.iter_mut().enumerate() {
                has[length] = self.becomes[symbol].iter().any(|&other| own[other]);
            }
        }
        lengths
    }
}

/// Rules as they are taken apart.
struct Builder {
    characters: Vec<Vec<Char>>,
    pairs: Vec<Vec<(usize, usize)>>,
    /// Rules with one symbol on the right.
    single: Vec<Vec<usize>>,
    empty: Vec<bool>,
    of_character: FxHashMap<Char, usize>,
    of_rest: FxHashMap<Vec<usize>, usize>,
}

impl Builder {
    fn new(symbols: usize) -> Self {
        Self {
            characters: vec![Vec::new(); symbols],
            pairs: vec![Vec::new(); symbols],
            single: vec![Vec::new(); symbols],
            empty: vec![false; symbols],
            of_character: FxHashMap::default(),
            of_rest: FxHashMap::default(),
        }
    }

    fn fresh(&mut self) -> usize {
        self.characters.push(Vec::new());
        self.pairs.push(Vec::new());
        self.single.push(Vec::new());
        self.empty.push(false);
        self.pairs.len() - 1
    }

    /// The symbol that derives one character and nothing else.
    fn character(&mut self, c: Char) -> usize {
        if let Some(&symbol) = self.of_character.get(&c) {
            return symbol;
        }
        let symbol = self.fresh();
        self.characters[symbol].push(c);
        self.of_character.insert(c, symbol);
        symbol
    }

    /// Adds a rule, whose symbols after the first become a symbol of their own where they are more than one.
    fn rule(&mut self, left: usize, right: &[usize]) {
        let (mut left, mut right) = (left, right);
        loop {
            match right {
                [] => self.empty[left] = true,
                [one] => push_new(&mut self.single[left], *one),
                [first, second] => push_new(&mut self.pairs[left], (*first, *second)),
                [first, rest @ ..] => {
                    let (symbol, known) = match self.of_rest.get(rest) {
                        Some(&symbol) => (symbol, true),
                        None => (self.fresh(), false),
                    };
                    push_new(&mut self.pairs[left], (*first, symbol));
                    if !known {
                        self.of_rest.insert(rest.to_vec(), symbol);
                        (left, right) = (symbol, rest);
                        continue;
                    }
                }
            }
            return;
        }
    }

    fn finish(mut self) -> NormalForm {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for symbol in 0..self.empty.len() {
                let empty = self.empty[symbol]
                    || self.single[symbol].iter().any(|&one| self.empty[one])
                    || self.pairs[symbol].iter().any(|&(a, b)| self.empty[a] && self.empty[b]);
                changed |= empty != std::mem::replace(&mut self.empty[symbol], empty);
            }
        }
        for (single, pairs) in self.single.iter_mut().zip(&self.pairs) {
            for &(first, second) in pairs {
                if self.empty[first] {
                    push_new(single, second);
                }
                if self.empty[second] {
                    push_new(single, first);
                }
            }
        }
        let becomes = (0..self.single.len()).map(|symbol| reached(symbol, &self.single)).collect();
        let Self { characters, pairs, empty, .. } = self;
        NormalForm { characters, pairs, empty, becomes }
    }
}

fn push_new<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// What is reached from `start`, which comes first.
fn reached(start: usize, next: &[Vec<usize>]) -> Vec<usize> {
    let mut found = vec![start];
    let mut seen: FxHashSet<usize> = [start].into_iter().collect();
    let mut done = 0;
    while let Some(&symbol) = found.get(done) {
        done += 1;
        found.extend(next[symbol].iter().copied().filter(|&other| seen.insert(other)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn lengths(text: &str, longest: usize) -> Vec<usize> {
        let normal = NormalForm::of(&read(text).unwrap());
        let table = normal.lengths(longest);
        (0..=longest).filter(|&length| table[0][length]).collect()
    }

    #[test]
    fn lengths_of_words() {
        assert_eq!(lengths("S : \"aaa\" S ; : \"b\" ;", 8), [1, 4, 7]);
        assert_eq!(lengths("S : A A ; A : ; : \"a\" ;", 5), [0, 1, 2]);
        assert_eq!(lengths("S : S S ;", 4), [0_usize; 0]);
        assert_eq!(lengths("S : T ; T : S ; : \"ab\" ; : \"\" ;", 4), [0, 2]);
        assert_eq!(lengths("S : A S B ; : A B C ; A : ; : \"a\" ; B : ; C : \"cc\" ;", 4), [2, 3, 4]);
    }

    #[test]
    fn the_rest_of_a_rule_is_shared() {
        let shared = NormalForm::of(&read("S : \"a\" T T T ; : \"b\" T T T ; T : \"c\" ;").unwrap());
        // S, T, three characters, TTT and TT.
        assert_eq!(shared.len(), 7);
    }
}
