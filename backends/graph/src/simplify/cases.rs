//! Needles that are longer than what they are looked for in: rule `case_refuted`.
//!
//! A word that is longer than another one does not occur in it, so a replacement changes nothing there and an
//! index is -1. Either that is so, or the needle has a bound. Where the other rules refute one of the two
//! cases, the other one holds; without that a solver that guesses lengths tries needles without end.
//!
//! Source: ours; the method is that of failed literals in SAT solvers.

use backends_api::{Budget, Stop};
use harness_model::SmtString;
use harness_model::int::Int;

use super::words::{Item, joined, row};
use super::{RuleName, Sourced, Work};
use crate::edge::{IntVertex, Relation, StringVertex};
use crate::graph::IntKind;
use crate::linear::Sum;
use crate::reasons::Reasons;
use crate::rules::Counts;

const NAME: RuleName = "rule_case_refuted";

/// Of a graph with more such edges the others are left alone.
const MOST_CASES: usize = 6;

/// Larger graphs are left alone: each case is simplified as a whole.
const MOST_EDGES: usize = 200;

/// What a function gives where the needle is too long.
#[derive(Clone, Copy)]
enum Otherwise {
    Same(StringVertex, StringVertex),
    Absent(IntVertex),
}

/// A function that looks for a needle.
struct Case {
    place: usize,
    whole: StringVertex,
    needle: StringVertex,
    otherwise: Otherwise,
}

/// Rule `case_refuted`.
pub(super) fn merge(
    work: &mut Work,
    counts: &mut Counts,
    budget: &Budget,
) -> Result<Result<(), RuleName>, Stop> {
    if work.edges.len() > MOST_EDGES {
        return Ok(Ok(()));
    }
    for case in cases(work) {
        budget.tick()?;
        let Some((length, because)) = difference(work, &case) else { continue };
        let from = work.edge(&work.edges[case.place]).from;
        let shown = match work.refutes(&case, &length, true, budget)? {
            Some(core) => Some((false, core)),
            None => work.refutes(&case, &length, false, budget)?.map(|core| (true, core)),
        };
        let Some((is_longer, mut core)) = shown else { continue };
        core.extend(&because);
        core.extend(&from);
        counts.add(NAME);
        work.present = core.clone();
        if work.assume(&case, &length, is_longer, core).is_err() {
            return Ok(Err(NAME));
        }
        // One at a time: what follows is for the other rules first.
        return Ok(Ok(()));
    }
    Ok(Ok(()))
}

/// The edges that look for a needle which may be too long.
#[allow(clippy::wildcard_enum_match_arm, reason = "a relation that is not named looks for nothing")]
fn cases(work: &Work) -> Vec<Case> {
    let mut all = Vec::new();
    for (place, edge) in work.edges.iter().enumerate().filter(|(_, edge)| edge.value.positive) {
        let (whole, needle, otherwise) = match work.relation(&edge.value.relation) {
            Relation::Replace { s, t, r, .. } | Relation::ReplaceAll { s, t, r, .. } => {
                (s, t, Otherwise::Same(r, s))
            }
            Relation::IndexOf { s, t, i, .. } => (s, t, Otherwise::Absent(i)),
            _ => continue,
        };
        if work.graph.word(needle).is_none() {
            all.push(Case { place, whole, needle, otherwise });
        }
    }
    if all.len() > MOST_CASES { Vec::new() } else { all }
}

/// How much longer the needle is, and why. `None` where that is known already.
fn difference(work: &mut Work, case: &Case) -> Option<(Sum, Reasons)> {
    let joined = joined(work);
    let mut because = Reasons::new();
    let mut sum = Sum::from(0_i64);
    for (word, sign) in [(case.needle, Int::from(1_i64)), (case.whole, Int::MINUS_ONE)] {
        let (items, edges) = row(work, &joined, &[word], Vec::new())?;
        for edge in edges {
            because.extend(&work.edge(&work.edges[edge]).from);
        }
        for item in items {
            sum = match item {
                Item::Char(_) => sum.add(&Sum::from(sign.clone())),
                Item::Word(word) => {
                    let length = work.graph.length(work.string(word));
                    sum.plus(&work.graph.sum_of(length), &sign)
                }
            };
        }
    }
    work.grow();
    let zero = Sum::from(0_i64);
    let known = work.formulas.iter().any(|formula| {
        let says = work.formula(formula).value;
        says == sum.le(&zero) || says == zero.lt(&sum)
    });
    (!known && sum.value().is_none_or(|n| *n > Int::ZERO)).then_some((sum, because))
}

impl Work {
    /// Adds that the needle is longer, and what its function gives then, or that it is not.
    fn assume(&mut self, case: &Case, length: &Sum, is_longer: bool, from: Reasons) -> Result<(), ()> {
        let zero = Sum::from(0_i64);
        let formula = if is_longer { zero.lt(length) } else { length.le(&zero) };
        self.formulas.push(Sourced { value: formula, from: from.clone() });
        self.changed = true;
        if is_longer {
            self.edges.remove(case.place);
            return match case.otherwise {
                Otherwise::Same(r, s) => self.unite_strings(r, s),
                Otherwise::Absent(i) => {
                    let value = Sum::from(i).eq(&Sum::from(Int::MINUS_ONE));
                    self.formulas.push(Sourced { value, from });
                    Ok(())
                }
            };
        }
        // A sum of lengths that is at most zero: all of them are.
        let positive = length.terms().iter().all(|(_, factor)| !factor.is_negative());
        if !positive || length.constant().is_negative() {
            return self.only_small(length);
        }
        if *length.constant() > Int::ZERO {
            return Err(());
        }
        let words: Vec<IntVertex> = length.terms().iter().map(|(vertex, _)| *vertex).collect();
        words.into_iter().try_for_each(|vertex| self.is_empty(vertex))
    }

    /// Of one length: where less than one times its factor is left, it is zero.
    fn only_small(&mut self, length: &Sum) -> Result<(), ()> {
        match length.terms() {
            [(vertex, factor)] if *factor > Int::ZERO => match length.constant().neg().div(factor) {
                Some(most) if most.is_negative() => Err(()),
                Some(most) if most == Int::ZERO => self.is_empty(*vertex),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// The word whose length the vertex is, is empty.
    fn is_empty(&mut self, length: IntVertex) -> Result<(), ()> {
        let IntKind::Length(word) = *self.graph.int(length) else { return Ok(()) };
        let empty = self.constant(SmtString::default());
        self.unite_strings(word, empty)
    }

    /// Whether the other rules refute that the needle is longer, or that it is not; and why.
    fn refutes(
        &self,
        case: &Case,
        length: &Sum,
        is_longer: bool,
        budget: &Budget,
    ) -> Result<Option<Reasons>, Stop> {
        let mut trial = self.clone();
        (trial.present, trial.within_case) = (Reasons::new(), true);
        if trial.assume(case, length, is_longer, Reasons::new()).is_err() {
            return Ok(Some(trial.present));
        }
        let mut counts = Counts::default();
        while std::mem::take(&mut trial.changed) {
            budget.tick()?;
            if trial.round(&mut counts, budget)?.is_err() {
                return Ok(Some(trial.present));
            }
        }
        Ok(None)
    }
}
