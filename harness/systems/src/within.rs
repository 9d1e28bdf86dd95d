//! What a grammar derives within bounds, where it need not be regular: an automaton of the words of these
//! lengths, as HAMPI bounds grammars before it solves.

use std::collections::HashMap;

use harness_grammar::automaton::automaton;
use harness_grammar::{NormalForm, Rule, Symbol as Plain};
use harness_model::{Char, CharSet, SmtString};

use crate::automaton::{Automaton, Move};
use crate::grammar::{Atom, Grammar, RuleId, Symbol};
use crate::language::Language;

impl Grammar {
    /// The language of `start` for words of these lengths: what it derives as it is where that is regular,
    /// and else the words of these lengths alone.
    ///
    /// # Errors
    ///
    /// When it is not regular and has too many words of these lengths in too many forms.
    pub fn language(&self, start: RuleId, (low, high): (u64, u64)) -> Result<Language, String> {
        let why = match self.regular(start) {
            Ok(regex) => return Ok(Language::Regex(regex)),
            Err(why) => why,
        };
        let bounds = usize::try_from(low).ok().zip(usize::try_from(high).ok());
        let (low, high) = bounds.ok_or_else(|| why.clone())?;
        let normal = NormalForm::of(&self.context_free(start)?);
        let made = automaton(&normal, low, high).map_err(|error| format!("{why}; {error}"))?;
        let step = |(from, reads, to)| Move { from, reads, to };
        Ok(Language::Automaton(Automaton {
            states: made.states,
            start: made.start,
            end: made.end,
            moves: made.moves.into_iter().map(step).collect(),
        }))
    }

    /// The rules that `start` needs, without repetitions and sets: these become non-terminals of their own.
    ///
    /// # Errors
    ///
    /// When there is no such rule.
    pub fn context_free(&self, start: RuleId) -> Result<harness_grammar::Grammar, String> {
        let mut made = Made { rules: Vec::new(), names: Vec::new(), sets: HashMap::new() };
        let mut numbers: HashMap<RuleId, usize> = HashMap::new();
        let mut needed: Vec<RuleId> = self.components(start).into_iter().flatten().collect();
        needed.sort_unstable_by_key(|rule| (*rule != start, rule.0));
        for &rule in &needed {
            numbers.insert(rule, made.name(self.rules[rule.0].name.clone()));
        }
        for &rule in &needed {
            for alternative in &self.rules[rule.0].alternatives {
                let right = alternative.iter().map(|symbol| made.symbol(symbol, &numbers)).collect();
                made.rules.push(Rule { left: numbers[&rule], right });
            }
        }
        harness_grammar::Grammar::new(made.names, made.rules)
            .ok_or_else(|| "a grammar names a rule that it does not have".to_owned())
    }
}

struct Made {
    rules: Vec<Rule>,
    names: Vec<String>,
    sets: HashMap<CharSet, usize>,
}

impl Made {
    fn name(&mut self, name: String) -> usize {
        self.names.push(name);
        self.names.len() - 1
    }

    /// A non-terminal with these alternatives.
    fn fresh(&mut self, alternatives: Vec<Vec<Plain>>) -> usize {
        let left = self.name(format!("_{}", self.names.len()));
        self.rules.extend(alternatives.into_iter().map(|right| Rule { left, right }));
        left
    }

    fn symbol(&mut self, symbol: &Symbol, numbers: &HashMap<RuleId, usize>) -> Plain {
        let atom = match symbol.atom() {
            Atom::Word(word) => Plain::Terminal(word.clone()),
            Atom::Rule(rule) => Plain::Nonterminal(numbers[rule]),
            Atom::Set(set) => Plain::Nonterminal(self.set(set)),
        };
        match symbol {
            Symbol::Once(_) => atom,
            Symbol::Optional(_) => Plain::Nonterminal(self.fresh(vec![Vec::new(), vec![atom]])),
            Symbol::Star(_) => Plain::Nonterminal(self.star(atom)),
            Symbol::Plus(_) => {
                let star = Plain::Nonterminal(self.star(atom.clone()));
                Plain::Nonterminal(self.fresh(vec![vec![atom, star]]))
            }
        }
    }

    fn star(&mut self, atom: Plain) -> usize {
        let own = Plain::Nonterminal(self.names.len());
        self.fresh(vec![Vec::new(), vec![atom, own]])
    }

    fn set(&mut self, set: &CharSet) -> usize {
        if let Some(&known) = self.sets.get(set) {
            return known;
        }
        let characters = set.ranges().iter().flat_map(|&(low, high)| low..=high);
        let alternatives =
            characters.map(|c| vec![Plain::Terminal(SmtString::from(vec![Char(c)]))]).collect();
        let made = self.fresh(alternatives);
        self.sets.insert(set.clone(), made);
        made
    }
}
