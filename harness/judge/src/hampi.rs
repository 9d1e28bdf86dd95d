//! HAMPI's files as they are written, evaluated for a word. Of grammars that are not regular strategies
//! are given what these were bounded to, and the judge does not rely on that: it tests membership by
//! itself. All else that a file asks is in its system, if that could be made, and evaluated here where it
//! could not.

use harness_model::SmtString;
use harness_systems::grammar::RuleId;
use harness_systems::hampi::{Claim, File, Node, Part};

use crate::text;

/// Steps of membership tests for one word.
const EFFORT: u64 = 200_000_000;

/// What is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// What is asserted of grammars that are not regular.
    Irregular,
    /// Everything.
    All,
}

/// Whether a value of the variable is as the assertions of some scope say.
///
/// # Errors
///
/// What does not hold; `None` when it would take too long to say.
pub fn check(file: &File, value: &SmtString, scope: Scope) -> Result<(), Option<String>> {
    let (low, high) = (file.variable.low as usize, file.variable.high as usize);
    if scope == Scope::All && !(low..=high).contains(&value.len()) {
        let (name, length) = (&file.variable.name, value.len());
        return Err(Some(format!("'{name}' has {length} characters, and {low} to {high} are asked for")));
    }
    for assertion in &file.assertions {
        let line = assertion.position.line;
        let short = || Some(format!("the value is too short for a part in the assertion of line {line}"));
        let word = parts(&assertion.value, value).ok_or_else(short)?;
        let mut members = Members { file, effort: EFFORT };
        let holds = match &assertion.claim {
            Claim::InLanguage(node) if members.is_irregular(*node) => members.node(*node, word.chars()),
            Claim::InGrammar(rule) if file.grammar.regular(*rule).is_err() => members.rule(*rule, &word),
            Claim::InLanguage(_) | Claim::InGrammar(_) | Claim::Contains(_) | Claim::Equals(_)
                if scope == Scope::Irregular =>
            {
                continue;
            }
            Claim::InLanguage(node) => members.node(*node, word.chars()),
            Claim::InGrammar(rule) => members.rule(*rule, &word),
            Claim::Contains(part) => {
                let wanted = part.chars();
                Some(wanted.is_empty() || word.chars().windows(wanted.len()).any(|window| window == wanted))
            }
            Claim::Equals(other) => Some(word == parts(other, value).ok_or_else(short)?),
        };
        match holds {
            None => return Err(None),
            Some(holds) if holds == assertion.negated => {
                let shown = text::word(&word);
                return Err(Some(format!("{shown} is not as the assertion of line {line} says")));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// What parts are for a value; `None` when it is too short.
fn parts(parts: &[Part], value: &SmtString) -> Option<SmtString> {
    let mut word = Vec::new();
    for part in parts {
        match part {
            Part::Word(constant) => word.extend_from_slice(constant.chars()),
            Part::Variable => word.extend_from_slice(value.chars()),
            Part::Slice(start, length) => {
                let (start, length) = (*start as usize, *length as usize);
                word.extend_from_slice(value.chars().get(start..start.checked_add(length)?)?);
            }
        }
    }
    Some(SmtString::from(word))
}

/// Which parts of a word nodes and rules have.
struct Members<'f> {
    file: &'f File,
    effort: u64,
}

impl Members<'_> {
    fn is_irregular(&self, root: usize) -> bool {
        let needed = self.needed(root);
        let nodes = self.file.nodes.iter().zip(needed).filter(|(_, needed)| *needed);
        nodes.into_iter().any(|(node, _)| match node {
            Node::Rule(rule) | Node::Fix(rule, _) => self.file.grammar.regular(*rule).is_err(),
            Node::Word(_) | Node::Set(_) | Node::Star(_) | Node::Or(_) | Node::Concat(_) => false,
        })
    }

    fn rule(&mut self, rule: RuleId, word: &SmtString) -> Option<bool> {
        let grammar = self.file.grammar.context_free(rule).ok()?;
        // What one test takes is not told: each has a share.
        let share = self.effort / 2;
        self.effort = self.effort.checked_sub(word.len() as u64 + 1)?;
        harness_grammar::contains(&grammar, word, share)
    }

    /// Whether `word` is in the language of a node. Parts come before what they are parts of, so the ends of
    /// the words of each node from each place are found in their order.
    fn node(&mut self, root: usize, word: &[harness_model::Char]) -> Option<bool> {
        let places = word.len() + 1;
        // By node and start, the ends.
        let mut ends: Vec<Vec<Vec<bool>>> = Vec::with_capacity(root + 1);
        let needed = self.needed(root);
        for (number, node) in self.file.nodes[..=root].iter().enumerate() {
            let mut own = vec![vec![false; places]; places];
            if needed[number] {
                for (from, row) in own.iter_mut().enumerate() {
                    self.effort = self.effort.checked_sub((places * places) as u64)?;
                    self.ends(node, word, from, &ends, row)?;
                }
            }
            ends.push(own);
        }
        Some(ends[root][0][places - 1])
    }

    fn needed(&self, root: usize) -> Vec<bool> {
        let mut needed = vec![false; root + 1];
        needed[root] = true;
        for number in (0..=root).rev() {
            if needed[number] {
                match &self.file.nodes[number] {
                    Node::Star(inner) => needed[*inner] = true,
                    Node::Or(parts) | Node::Concat(parts) => {
                        parts.iter().for_each(|&part| needed[part] = true);
                    }
                    Node::Word(_) | Node::Set(_) | Node::Rule(_) | Node::Fix(..) => {}
                }
            }
        }
        needed
    }

    fn ends(
        &mut self,
        node: &Node,
        word: &[harness_model::Char],
        from: usize,
        ends: &[Vec<Vec<bool>>],
        row: &mut [bool],
    ) -> Option<()> {
        let rest = &word[from..];
        match node {
            Node::Word(constant) => {
                if rest.starts_with(constant.chars()) {
                    row[from + constant.len()] = true;
                }
            }
            Node::Set(set) => {
                if rest.first().is_some_and(|&c| set.contains(c)) {
                    row[from + 1] = true;
                }
            }
            Node::Rule(rule) => {
                for to in from..=word.len() {
                    row[to] = self.rule(*rule, &SmtString::from(word[from..to].to_vec()))?;
                }
            }
            Node::Fix(rule, length) => {
                let to = from.checked_add(*length as usize)?;
                if to <= word.len() {
                    row[to] = self.rule(*rule, &SmtString::from(word[from..to].to_vec()))?;
                }
            }
            Node::Or(parts) => {
                for &part in parts {
                    row.iter_mut().zip(&ends[part][from]).for_each(|(known, &end)| *known |= end);
                }
            }
            Node::Concat(parts) => {
                row[from] = true;
                for &part in parts {
                    let mut next = vec![false; row.len()];
                    for (at, _) in row.iter().enumerate().filter(|(_, here)| **here) {
                        next.iter_mut().zip(&ends[part][at]).for_each(|(known, &end)| *known |= end);
                    }
                    row.copy_from_slice(&next);
                }
            }
            Node::Star(inner) => {
                row[from] = true;
                for at in from..row.len() {
                    if row[at] {
                        for (known, &end) in row.iter_mut().zip(&ends[*inner][at]) {
                            *known |= end;
                        }
                    }
                }
            }
        }
        Some(())
    }
}
