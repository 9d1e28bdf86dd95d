//! Assertions as literals, and what is known of terms before any vertex is made: values of terms without
//! variables, conditions of `ite`s, characters that are inside their strings.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "what has no arm is a relation by the table of relations, is refused by its name, or stays whole"
)]

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use backends_fold::{Evaluator, Failure};
use harness_model::Regex;
use harness_theory::op::{ArithOp, CoreOp, Op, StrOp};
use harness_theory::sort::Sort;
use harness_theory::term::{Term, TermId};
use harness_theory::{Assignment, Value};

use super::{Builder, Ground, Literal, Refusal};
use crate::formula::IntFormula;
use crate::reasons::Reasons;

impl Builder<'_> {
    /// Evaluates the largest terms without variables.
    pub(super) fn find_ground(&mut self, assertions: &[TermId]) {
        let cone = self.terms.cone(assertions);
        self.varies = vec![false; self.terms.len()];
        let mut roots: Vec<TermId> = Vec::new();
        for &id in &cone {
            let arguments = self.terms.arguments(id);
            self.varies[id.index()] = matches!(self.terms.get(id), Term::Var(_))
                || arguments.iter().any(|a| self.varies[a.index()]);
            if self.varies[id.index()] {
                roots.extend(arguments.iter().filter(|a| !self.varies[a.index()]));
            }
        }
        roots.extend(assertions.iter().filter(|a| !self.varies[a.index()]));
        roots.sort_unstable();
        roots.dedup();
        let mut evaluator = Evaluator::new(self.terms, &roots, self.graph.alphabet());
        // Without variables nothing is loaded, so only single roots can fail.
        let ran = evaluator.run(&Assignment::new());
        for (i, &root) in roots.iter().enumerate() {
            let refuse = |error: Failure| {
                Ground::Failed(Refusal(match error {
                    Failure::DivisionByZero => "division by zero".to_owned(),
                    Failure::LanguageEquality => "= of regular languages".to_owned(),
                    other => other.to_string(),
                }))
            };
            let value = match (&ran, self.terms.sort(root)) {
                (Err(error), _) => refuse(error.clone()),
                (Ok(()), Sort::RegLan) => match evaluator.language(i) {
                    Ok(language) => Ground::Language(language.unwrap_or_else(|| Arc::new(Regex::Empty))),
                    Err(error) => refuse(error),
                },
                (Ok(()), _) => match evaluator.value(i) {
                    Ok(Some(value)) => Ground::Value(value),
                    Ok(None) => Ground::Failed(Refusal::new("a regular language as a value")),
                    Err(error) => refuse(error),
                },
            };
            self.ground.insert(root, value);
        }
    }

    /// The truth value of a Boolean term without variables.
    pub(super) fn truth(&self, id: TermId) -> Result<Option<bool>, Refusal> {
        match self.ground.get(&id) {
            None => Ok(None),
            Some(Ground::Value(Value::Bool(b))) => Ok(Some(*b)),
            Some(Ground::Failed(refusal)) => Err(refusal.clone()),
            Some(_) => Err(Refusal::new("a term of another sort as a condition")),
        }
    }

    /// The literals whose conjunction the assertions are.
    pub(super) fn flatten(&mut self, assertions: &[TermId]) -> Result<Vec<Literal>, Refusal> {
        let mut literals = Vec::new();
        let mut seen = HashSet::new();
        let mut todo: Vec<Literal> =
            assertions.iter().enumerate().rev().map(|(place, &a)| (a, true, place)).collect();
        while let Some((id, positive, source)) = todo.pop() {
            if !seen.insert((id, positive)) {
                continue;
            }
            if let Some(truth) = self.truth(id)? {
                if truth != positive {
                    self.refute(source);
                }
                continue;
            }
            let arguments = self.terms.arguments(id);
            // What the literal says as a conjunction or as a disjunction of others.
            let (parts, all): (Vec<(TermId, bool)>, bool) = match self.terms.get(id) {
                Term::App(Op::Core(CoreOp::Not), _) => (vec![(arguments[0], !positive)], true),
                Term::App(Op::Core(CoreOp::And), _) => {
                    (arguments.iter().map(|&a| (a, positive)).collect(), positive)
                }
                Term::App(Op::Core(CoreOp::Or), _) => {
                    (arguments.iter().map(|&a| (a, positive)).collect(), !positive)
                }
                Term::App(Op::Core(CoreOp::Implies), _) => {
                    let last = arguments.len() - 1;
                    let part = |(i, &a): (usize, &TermId)| (a, (i == last) == positive);
                    (arguments.iter().enumerate().map(part).collect(), !positive)
                }
                Term::App(Op::Core(CoreOp::Eq), _)
                    if arguments.len() == 2 && self.terms.sort(arguments[0]) == Sort::Bool =>
                {
                    match (self.truth(arguments[0])?, self.truth(arguments[1])?) {
                        (Some(truth), _) => (vec![(arguments[1], truth == positive)], true),
                        (_, Some(truth)) => (vec![(arguments[0], truth == positive)], true),
                        _ => (vec![(id, positive)], true),
                    }
                }
                Term::App(Op::Core(CoreOp::Eq), _)
                    if let Some((condition, [yes, no])) = self.chosen(arguments) =>
                {
                    match (yes, no) {
                        (true, false) => (vec![(condition, positive)], true),
                        (false, true) => (vec![(condition, !positive)], true),
                        // Whatever the condition is, the same.
                        (same, _) => (Vec::new(), same == positive),
                    }
                }
                Term::App(Op::Core(CoreOp::Ite), _) => {
                    let [condition, yes, no] = [arguments[0], arguments[1], arguments[2]];
                    match (self.truth(condition)?, self.truth(yes)?, self.truth(no)?) {
                        (Some(truth), ..) => (vec![(if truth { yes } else { no }, positive)], true),
                        (None, Some(true), Some(false)) => (vec![(condition, positive)], true),
                        (None, Some(false), Some(true)) => (vec![(condition, !positive)], true),
                        (None, ..) => (vec![(id, positive)], true),
                    }
                }
                _ => (vec![(id, positive)], true),
            };
            if parts == [(id, positive)] {
                literals.push((id, positive, source));
            } else if all {
                todo.extend(parts.into_iter().rev().map(|(part, wanted)| (part, wanted, source)));
            } else {
                let mut open = Vec::new();
                let mut holds = false;
                for (part, wanted) in parts {
                    match self.truth(part)? {
                        Some(truth) => holds |= truth == wanted,
                        None => open.push((part, wanted)),
                    }
                }
                match open.as_slice() {
                    _ if holds => {}
                    [] => self.refute(source),
                    [(part, wanted)] => todo.push((*part, *wanted, source)),
                    _ => literals.push((id, positive, source)),
                }
            }
        }
        Ok(literals)
    }

    /// The condition of an equation of a choice between two values with a third, and whether the equation
    /// holds where the condition does, and where it does not: what tools write of a truth value that was a
    /// number.
    fn chosen(&self, sides: &[TermId]) -> Option<(TermId, [bool; 2])> {
        let value = |id: TermId| match self.ground.get(&id) {
            Some(Ground::Value(value)) => Some(value),
            _ => None,
        };
        let &[a, b] = sides else { return None };
        [(a, b), (b, a)].into_iter().find_map(|(choice, other)| match self.terms.get(choice) {
            Term::App(Op::Core(CoreOp::Ite), arguments) => {
                let other = value(other)?;
                Some((arguments[0], [value(arguments[1])? == other, value(arguments[2])? == other]))
            }
            _ => None,
        })
    }

    /// The assertion at this place is false.
    pub(super) fn refute(&mut self, assertion: usize) {
        self.graph.hold_because(self.origins[assertion].clone());
        self.graph.add_formula(IntFormula::Bool(false));
        self.graph.hold_because(Reasons::new());
    }

    /// Marks what the conditions of `ite`s are made of.
    pub(super) fn find_conditions(&mut self, cone: &[TermId]) {
        let mut todo: Vec<TermId> = Vec::new();
        for &id in cone {
            if let Term::App(Op::Core(CoreOp::Ite), arguments) = self.terms.get(id) {
                todo.push(arguments[0]);
            }
        }
        while let Some(id) = todo.pop() {
            if self.conditions.insert(id) {
                let parts = self.terms.arguments(id).iter().copied();
                todo.extend(parts.filter(|&a| self.terms.sort(a) == Sort::Bool));
            }
        }
    }

    /// Finds the characters that are asserted to be inside their strings, as Java's `charAt` is read.
    pub(super) fn find_inside(&mut self, literals: &[Literal], cone: &[TermId]) {
        let mut not_negative = HashMap::new();
        let mut below_length = HashMap::new();
        for &(id, positive, source) in literals {
            let Term::App(op @ Op::Arith(ArithOp::Le | ArithOp::Lt | ArithOp::Ge | ArithOp::Gt), arguments) =
                self.terms.get(id)
            else {
                continue;
            };
            if !positive {
                continue;
            }
            for pair in arguments.windows(2) {
                let (low, high) = if matches!(op, Op::Arith(ArithOp::Le | ArithOp::Lt)) {
                    (pair[0], pair[1])
                } else {
                    (pair[1], pair[0])
                };
                if self.number(low).is_some_and(|n| !n.is_negative()) {
                    not_negative.entry(high).or_insert(source);
                }
                if let (Op::Arith(ArithOp::Lt | ArithOp::Gt), Term::App(Op::Str(StrOp::Len), s)) =
                    (op, self.terms.get(high))
                {
                    below_length.entry((low, s[0])).or_insert(source);
                }
            }
        }
        let mut other_uses = HashSet::new();
        for &id in cone {
            let arguments = self.terms.arguments(id);
            if let Term::App(Op::Str(StrOp::ToCode), _) = self.terms.get(id)
                && let Term::App(Op::Str(StrOp::At), at) = self.terms.get(arguments[0])
                && let Some(&below) = below_length.get(&(at[1], at[0]))
                && let low = not_negative.get(&at[1])
                && (low.is_some() || self.number(at[1]).is_some_and(|n| !n.is_negative()))
            {
                let mut sources = self.origins[below].clone();
                low.into_iter().for_each(|&low| sources.extend(&self.origins[low]));
                self.inside.insert(id, sources);
                self.absorbed.insert(arguments[0]);
            } else {
                other_uses.extend(arguments.iter().copied());
            }
        }
        self.absorbed.retain(|at| !other_uses.contains(at));
    }
}
