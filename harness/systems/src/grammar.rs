//! Context-free grammars as HAMPI writes them, and those of them that are regular.

use std::collections::HashMap;

use harness_model::{CharSet, Regex, SmtString};
use harness_theory::Position;

use crate::eliminate::{self, Measured};

/// A non-terminal of one [`Grammar`]: an index into [`Grammar::rules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub usize);

/// Rules that name each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grammar {
    /// In the order of their first mention; each name once.
    pub rules: Vec<Rule>,
}

/// A non-terminal and what it derives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub position: Position,
    /// Any of these; none: nothing.
    pub alternatives: Vec<Vec<Symbol>>,
}

/// A part of an alternative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// Something once.
    Once(Atom),
    /// Once or not at all.
    Optional(Atom),
    /// Any number of times.
    Star(Atom),
    /// At least once.
    Plus(Atom),
}

/// What a symbol is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// A word.
    Word(SmtString),
    /// One character of a set.
    Set(CharSet),
    /// What a rule derives.
    Rule(RuleId),
}

impl Symbol {
    /// What it is about.
    pub const fn atom(&self) -> &Atom {
        match self {
            Self::Once(atom) | Self::Optional(atom) | Self::Star(atom) | Self::Plus(atom) => atom,
        }
    }

    fn rule(&self) -> Option<RuleId> {
        match self.atom() {
            Atom::Rule(rule) => Some(*rule),
            Atom::Word(_) | Atom::Set(_) => None,
        }
    }
}

impl Grammar {
    /// The rules that each rule names.
    fn named(&self, rule: RuleId) -> impl Iterator<Item = RuleId> + '_ {
        self.rules[rule.0].alternatives.iter().flatten().filter_map(Symbol::rule)
    }

    /// What `start` derives, as an expression. A rule may name itself, directly or through others, in all of
    /// these rules at the end of alternatives only, or at their beginning only: then what they derive is
    /// regular.
    ///
    /// # Errors
    ///
    /// When a rule names itself in another way, which need not be regular, or the expression would be too
    /// large.
    pub fn regular(&self, start: RuleId) -> Result<Regex, String> {
        let components = self.components(start);
        let mut component_of = HashMap::new();
        for (number, component) in components.iter().enumerate() {
            component_of.extend(component.iter().map(|&rule| (rule, number)));
        }
        let mut known: HashMap<RuleId, Measured> = HashMap::new();
        for (number, component) in components.iter().enumerate() {
            let inside = |rule: RuleId| component_of.get(&rule) == Some(&number);
            let solved = self.solve(component, &inside, &known)?;
            known.extend(solved);
        }
        let made = known.remove(&start);
        Ok(made.map_or(Regex::Empty, |made| made.regex))
    }

    /// The expressions of rules that name each other, where those of all others that they name are known.
    fn solve(
        &self,
        component: &[RuleId],
        inside: &dyn Fn(RuleId) -> bool,
        known: &HashMap<RuleId, Measured>,
    ) -> Result<Vec<(RuleId, Measured)>, String> {
        let place = |rule: RuleId| component.iter().position(|&other| other == rule);
        let too_large =
            |rule: RuleId| format!("what '{}' derives has no short expression", self.rules[rule.0].name);
        // Steps of an automaton whose states are the rules and one more: after a rule at the end of an
        // alternative it goes on with that rule.
        let end = component.len();
        let mut steps: Vec<(usize, Measured, usize)> = Vec::new();
        let mut side = None;
        for (number, &rule) in component.iter().enumerate() {
            for alternative in &self.rules[rule.0].alternatives {
                let recursive: Vec<usize> =
                    (0..alternative.len()).filter(|&at| alternative[at].rule().is_some_and(inside)).collect();
                let not_regular = || {
                    let name = &self.rules[rule.0].name;
                    format!(
                        "the grammar '{name}' names itself elsewhere than at one end, and need not be regular"
                    )
                };
                let (rest, to) = match recursive.as_slice() {
                    [] => (alternative.as_slice(), None),
                    &[at] if matches!(alternative[at], Symbol::Once(_)) => {
                        let right = at + 1 == alternative.len();
                        // Alone it is at both ends.
                        if alternative.len() > 1 {
                            if !(right || at == 0) || side.is_some_and(|known| known != right) {
                                return Err(not_regular());
                            }
                            side = Some(right);
                        }
                        let target = alternative[at].rule().and_then(place);
                        let rest = if right { &alternative[..at] } else { &alternative[1..] };
                        (rest, target)
                    }
                    _ => return Err(not_regular()),
                };
                let Some(words) = self.words(rest, known) else { continue };
                if !words.fits() {
                    return Err(too_large(rule));
                }
                steps.push((number, words, to.unwrap_or(end)));
            }
        }
        if side == Some(false) {
            // At the beginning: the automaton is read backwards.
            steps = steps.into_iter().map(|(from, words, to)| (to, words, from)).collect();
        }
        let mut solved = Vec::with_capacity(component.len());
        for (number, &rule) in component.iter().enumerate() {
            let (from, to) = if side == Some(false) { (end, number) } else { (number, end) };
            let made = eliminate::between(steps.iter().cloned(), component.len() + 1, from, to);
            if let Some(made) = made.map_err(|_| too_large(rule))? {
                solved.push((rule, made));
            }
        }
        Ok(solved)
    }

    /// The words of symbols whose rules are known; `None` where there are none.
    fn words(&self, symbols: &[Symbol], known: &HashMap<RuleId, Measured>) -> Option<Measured> {
        let mut whole = Measured::leaf(Regex::Epsilon);
        for symbol in symbols {
            let inner = match symbol.atom() {
                Atom::Word(word) => Some(literal(word)),
                Atom::Set(set) if set.is_empty() => None,
                Atom::Set(set) => Some(Measured::leaf(Regex::set(set.clone()))),
                Atom::Rule(rule) => known.get(rule).cloned(),
            };
            let nothing = || Measured::leaf(Regex::Epsilon);
            let part = match (symbol, inner) {
                (Symbol::Once(_), inner) => inner?,
                (Symbol::Optional(_), inner) => inner.map_or_else(nothing, |inner| nothing().or(&inner)),
                (Symbol::Star(_), inner) => inner.map_or_else(nothing, |inner| inner.star()),
                (Symbol::Plus(_), inner) => {
                    let inner = inner?;
                    inner.then(&inner.star())
                }
            };
            whole = whole.then(&part);
            if !whole.fits() {
                return Some(whole);
            }
        }
        Some(whole)
    }

    /// The rules that `start` needs, in sets that name each other; what a set names is in it or in an earlier
    /// one.
    pub fn components(&self, start: RuleId) -> Vec<Vec<RuleId>> {
        // Tarjan's algorithm, with the calls on a stack of its own.
        struct Visit {
            rule: RuleId,
            named: Vec<RuleId>,
            next: usize,
        }
        let visit = |rule: RuleId| Visit { rule, named: self.named(rule).collect(), next: 0 };
        let mut index: HashMap<RuleId, usize> = HashMap::from([(start, 0)]);
        let mut low: HashMap<RuleId, usize> = HashMap::from([(start, 0)]);
        let mut open = vec![start];
        let mut is_open: HashMap<RuleId, bool> = HashMap::from([(start, true)]);
        let mut calls = vec![visit(start)];
        let mut done = Vec::new();
        while let Some(call) = calls.last_mut() {
            let rule = call.rule;
            if let Some(&next) = call.named.get(call.next) {
                call.next += 1;
                match index.get(&next) {
                    None => {
                        let number = index.len();
                        index.insert(next, number);
                        low.insert(next, number);
                        open.push(next);
                        is_open.insert(next, true);
                        calls.push(visit(next));
                    }
                    Some(&number) if is_open.get(&next) == Some(&true) => {
                        low.entry(rule).and_modify(|low| *low = (*low).min(number));
                    }
                    Some(_) => {}
                }
                continue;
            }
            calls.pop();
            let own = low.get(&rule).copied().unwrap_or_default();
            if let Some(caller) = calls.last() {
                low.entry(caller.rule).and_modify(|low| *low = (*low).min(own));
            }
            if index.get(&rule) == Some(&own) {
                let begin = open.iter().rposition(|&other| other == rule).unwrap_or(0);
                let component = open.split_off(begin);
                for &member in &component {
                    is_open.insert(member, false);
                }
                done.push(component);
            }
        }
        done
    }
}

fn literal(word: &SmtString) -> Measured {
    let mut whole = Measured::leaf(Regex::Epsilon);
    if let [c] = word.chars() {
        return Measured::leaf(Regex::set(CharSet::single(*c)));
    }
    if !word.is_empty() {
        whole = Measured::leaf(Regex::literal(word));
    }
    whole
}

#[cfg(test)]
mod tests {
    use harness_check::matcher::matches;

    use super::*;

    fn word(text: &str) -> Symbol {
        Symbol::Once(Atom::Word(SmtString::from(text)))
    }

    fn rule(number: usize) -> Symbol {
        Symbol::Once(Atom::Rule(RuleId(number)))
    }

    fn grammar(rules: Vec<Vec<Vec<Symbol>>>) -> Grammar {
        let position = Position { line: 1, column: 1 };
        let rules = rules.into_iter().enumerate();
        Grammar {
            rules: rules
                .map(|(i, alternatives)| Rule { name: format!("N{i}"), position, alternatives })
                .collect(),
        }
    }

    fn has(grammar: &Grammar, words: &[&str], others: &[&str]) {
        let regex = grammar.regular(RuleId(0)).unwrap();
        for word in words {
            assert!(matches(&regex, &SmtString::from(*word)), "{word} {regex:?}");
        }
        for word in others {
            assert!(!matches(&regex, &SmtString::from(*word)), "{word} {regex:?}");
        }
    }

    #[test]
    fn rules_that_name_themselves_at_one_end_are_regular() {
        // N0 -> a N1 | ε; N1 -> b N0 | N1 would be one alternative alone
        let right = grammar(vec![
            vec![vec![word("a"), rule(1)], vec![]],
            vec![vec![word("b"), rule(0)], vec![rule(1)], vec![word("c")]],
        ]);
        has(&right, &["", "ac", "ab", "ababac"], &["a", "b", "aba", "cc"]);
        let left = grammar(vec![vec![vec![rule(0), word("ab")], vec![word("c")], vec![rule(1)]], vec![]]);
        has(&left, &["c", "cab", "cabab"], &["", "ab", "abc", "ca"]);
        let nested = grammar(vec![
            vec![vec![Symbol::Plus(Atom::Rule(RuleId(1))), Symbol::Optional(Atom::Rule(RuleId(2)))]],
            vec![vec![word("x")], vec![word("yy")]],
            vec![vec![Symbol::Once(Atom::Set(CharSet::from_ranges([(48, 57)])))]],
        ]);
        has(&nested, &["x", "yyx7", "xx"], &["", "7", "y", "x77"]);
        // A rule that derives nothing.
        has(
            &grammar(vec![vec![vec![word("a"), rule(1)], vec![word("b")]], vec![vec![rule(1)]]]),
            &["b"],
            &["a", ""],
        );
    }

    #[test]
    fn other_rules_are_refused_by_name() {
        for inside in [
            vec![vec![word("a"), rule(0), word("b")], vec![]],
            vec![vec![rule(0), word("b")], vec![word("b"), rule(0)], vec![]],
            vec![vec![rule(0), rule(0)], vec![word("a")]],
            vec![vec![Symbol::Star(Atom::Rule(RuleId(0))), word("b")]],
        ] {
            let why = grammar(vec![inside]).regular(RuleId(0)).unwrap_err();
            assert!(why.contains("'N0'"), "{why}");
        }
    }
}
