//! Grammars as data.
//!
//! Invariants: there is at least one non-terminal, and every number of one is that of a name. The start
//! symbol is number 0.

use harness_model::{Alphabet, Char, SmtString};

/// What stands on the right of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// Characters that stand for themselves.
    Terminal(SmtString),
    /// What the rules of this non-terminal derive.
    Nonterminal(usize),
}

/// What a non-terminal derives in one step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// The non-terminal.
    pub left: usize,
    /// What it becomes; none: the empty word.
    pub right: Vec<Symbol>,
}

/// A context-free grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grammar {
    names: Vec<String>,
    rules: Vec<Rule>,
}

impl Grammar {
    /// With these names of non-terminals, the first of which is the start symbol, and these rules. `None`
    /// when there is no name, or a rule has the number of a non-terminal that has none.
    pub fn new(names: Vec<String>, rules: Vec<Rule>) -> Option<Self> {
        let known = |number: usize| number < names.len();
        let legal = |symbol: &Symbol| match symbol {
            Symbol::Terminal(_) => true,
            Symbol::Nonterminal(number) => known(*number),
        };
        let sound = rules.iter().all(|rule| known(rule.left) && rule.right.iter().all(legal));
        (!names.is_empty() && sound).then_some(Self { names, rules })
    }

    /// The names of the non-terminals; that of the start symbol is the first.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The rules, in the order in which they were written.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The terminals, as often as they occur.
    pub fn terminals(&self) -> impl Iterator<Item = &SmtString> {
        self.rules.iter().flat_map(|rule| &rule.right).filter_map(|symbol| match symbol {
            Symbol::Terminal(word) => Some(word),
            Symbol::Nonterminal(_) => None,
        })
    }

    /// The first character of a terminal that `alphabet` does not have.
    pub fn foreign_to(&self, alphabet: Alphabet) -> Option<Char> {
        self.terminals().find_map(|word| word.foreign_to(alphabet))
    }
}
