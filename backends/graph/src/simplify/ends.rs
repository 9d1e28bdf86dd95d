//! Beginnings and ends of one word: rule `equal_ends`.
//!
//! Two words that one word begins with are equal where they are equally long, and so are two that it ends
//! with. A concatenation begins with its first part and ends with its second one, and with what these begin
//! and end with; so `s·u = t·v` and `|s| = |t|` give `s = t`, and then `u = v`, for what is left is equal
//! too.
//!
//! Source: ours; for a solver that guesses lengths, each pair of lengths would be another guess.

use std::collections::{HashMap, VecDeque};

use backends_api::{Budget, Stop};
use harness_model::int::Int;

use super::{RuleName, Work};
use crate::edge::{IntVertex, Relation, StringVertex};
use crate::formula::IntFormula;
use crate::linear::{Comparison, Sum};
use crate::reasons::Reasons;
use crate::rules::Counts;

const NAME: RuleName = "rule_equal_ends";

/// Of a word with more beginnings than this the others are left alone.
const MOST: usize = 32;

/// Where parts stand in a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// Rule `equal_ends`.
pub(super) fn merge(
    work: &mut Work,
    counts: &mut Counts,
    budget: &Budget,
) -> Result<Result<(), RuleName>, Stop> {
    if let Err(()) = rests(work, counts) {
        return Ok(Err(NAME));
    }
    let lengths = Lengths::of(work);
    if lengths.equal.is_empty() {
        return Ok(Ok(()));
    }
    for end in [End::First, End::Last] {
        // What each word begins, or ends, with at once, and the edge that says so.
        let mut parts: HashMap<StringVertex, Vec<(StringVertex, usize)>> = HashMap::new();
        for (place, edge) in work.edges.iter().enumerate().filter(|(_, edge)| edge.value.positive) {
            if let Some((whole, part)) = at_end(&work.relation(&edge.value.relation), end) {
                parts.entry(whole).or_default().push((part, place));
            }
        }
        let mut wholes: Vec<StringVertex> = parts.keys().copied().collect();
        wholes.sort_unstable();
        for whole in wholes {
            budget.tick()?;
            let all = everything(whole, &parts);
            for (i, (one, first)) in all.iter().enumerate() {
                for (other, second) in &all[i + 1..] {
                    budget.tick()?;
                    if work.string(*one) == work.string(*other) {
                        continue;
                    }
                    let Some(mut because) = lengths.why(work, *one, *other) else { continue };
                    for &edge in first.iter().chain(second) {
                        because.extend(&work.edge(&work.edges[edge]).from);
                    }
                    work.present = because;
                    counts.add(NAME);
                    if work.unite_strings(*one, *other).is_err() {
                        return Ok(Err(NAME));
                    }
                }
            }
        }
    }
    Ok(Ok(()))
}

/// The whole and the part, where the relation has a part at that end.
#[allow(clippy::wildcard_enum_match_arm, reason = "a relation that is not named has no part at an end")]
fn at_end(relation: &Relation, end: End) -> Option<(StringVertex, StringVertex)> {
    match *relation {
        Relation::Concat { a, b, r } => Some((r, if end == End::First { a } else { b })),
        Relation::StartsWith { s, t } if end == End::First => Some((s, t)),
        Relation::EndsWith { s, t } if end == End::Last => Some((s, t)),
        _ => None,
    }
}

/// All words that `whole` begins, or ends, with, itself among them, each with the edges that say so.
fn everything(
    whole: StringVertex,
    parts: &HashMap<StringVertex, Vec<(StringVertex, usize)>>,
) -> Vec<(StringVertex, Vec<usize>)> {
    let mut all: Vec<(StringVertex, Vec<usize>)> = vec![(whole, Vec::new())];
    let mut next = 0;
    while next < all.len() && all.len() < MOST {
        let (word, edges) = all[next].clone();
        next += 1;
        for &(part, edge) in parts.get(&word).into_iter().flatten() {
            if all.len() == MOST {
                return all;
            }
            if all.iter().all(|(known, _)| *known != part) {
                let edges = edges.iter().copied().chain([edge]).collect();
                all.push((part, edges));
            }
        }
    }
    all
}

/// Two concatenations with the same result and the same first part have the same second part, and the other
/// way round.
fn rests(work: &mut Work, counts: &mut Counts) -> Result<(), ()> {
    for end in [End::First, End::Last] {
        let mut known: HashMap<(StringVertex, StringVertex), (StringVertex, usize)> = HashMap::new();
        for place in 0..work.edges.len() {
            let edge = work.edge(&work.edges[place]);
            let Relation::Concat { a, b, r } = edge.value.relation else { continue };
            if !edge.value.positive {
                continue;
            }
            let (same, rest) = if end == End::First { (a, b) } else { (b, a) };
            let Some(&(other, first)) = known.get(&(r, same)) else {
                known.insert((r, same), (rest, place));
                continue;
            };
            if work.string(other) == work.string(rest) {
                continue;
            }
            work.present = edge.from;
            let other_edge = work.edge(&work.edges[first]);
            work.present.extend(&other_edge.from);
            counts.add(NAME);
            work.unite_strings(other, rest)?;
        }
    }
    Ok(())
}

/// A length, or a number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Measure {
    Number(Int),
    Vertex(IntVertex),
}

/// What formulas that are asserted say of equal lengths.
pub(super) struct Lengths {
    /// Each measure with those that a formula says it is equal to, and the formula.
    equal: HashMap<Measure, Vec<(Measure, usize)>>,
    /// One for all that are equal: a number where there is one.
    same: HashMap<Measure, Measure>,
}

impl Lengths {
    pub(super) fn of(work: &Work) -> Self {
        let mut equal: HashMap<Measure, Vec<(Measure, usize)>> = HashMap::new();
        for (place, formula) in work.formulas.iter().enumerate() {
            let IntFormula::Atom(sum, Comparison::Zero) = work.formula(formula).value else { continue };
            let sides = match sum.terms() {
                [(v, factor)] => match (sum.constant().neg().div(factor), sum.constant().modulo(factor)) {
                    (Some(number), Some(Int::ZERO)) => Some((*v, Measure::Number(number))),
                    _ => None,
                },
                [(v, f), (w, g)] if *sum.constant() == Int::ZERO && f.add(g) == Int::ZERO => {
                    Some((*v, Measure::Vertex(*w)))
                }
                _ => None,
            };
            if let Some((v, other)) = sides {
                let v = Measure::Vertex(v);
                equal.entry(v.clone()).or_default().push((other.clone(), place));
                equal.entry(other).or_default().push((v, place));
            }
        }
        let mut same: HashMap<Measure, Measure> = HashMap::new();
        let mut all: Vec<&Measure> = equal.keys().collect();
        all.sort_unstable();
        for start in all {
            if same.contains_key(start) {
                continue;
            }
            // The first of them in order is a number if there is one.
            let mut waiting = vec![start.clone()];
            while let Some(measure) = waiting.pop() {
                if same.insert(measure.clone(), start.clone()).is_none() {
                    waiting.extend(equal[&measure].iter().map(|(next, _)| next.clone()));
                }
            }
        }
        Self { equal, same }
    }

    /// The length of the word as a sum, where equal lengths are one; and whether that makes a difference.
    /// `None` for a word without a vertex for its length.
    pub(super) fn sum(&self, work: &Work, word: StringVertex) -> Option<(Sum, bool)> {
        let measure = Self::measure(work, word)?;
        let same = self.same.get(&measure);
        let of = |measure: &Measure| match measure {
            Measure::Number(number) => Sum::from(number.clone()),
            Measure::Vertex(vertex) => Sum::from(*vertex),
        };
        Some((of(same.unwrap_or(&measure)), same.is_some_and(|same| *same != measure)))
    }

    /// Why the lengths that are one are equal: what all the formulas depend on.
    pub(super) fn because(&self, work: &Work) -> Reasons {
        let mut because = Reasons::new();
        for (_, formula) in self.equal.values().flatten() {
            because.extend(&work.formula(&work.formulas[*formula]).from);
        }
        because
    }

    fn measure(work: &Work, word: StringVertex) -> Option<Measure> {
        let length = work.int(work.graph.length_of(work.string(word))?);
        Some(
            work.graph
                .number(length)
                .map_or(Measure::Vertex(length), |number| Measure::Number(number.clone())),
        )
    }

    /// Why the two words are equally long, if it is known that they are.
    fn why(&self, work: &Work, one: StringVertex, other: StringVertex) -> Option<Reasons> {
        let mut because = Reasons::new();
        work.trace_string(one, &mut because);
        work.trace_string(other, &mut because);
        let (one, other) = (Self::measure(work, one)?, Self::measure(work, other)?);
        let mut before: HashMap<Measure, Option<(Measure, usize)>> = HashMap::from([(one.clone(), None)]);
        let mut waiting = VecDeque::from([one]);
        while let Some(measure) = waiting.pop_front() {
            if measure == other {
                break;
            }
            for (next, formula) in self.equal.get(&measure).into_iter().flatten() {
                if !before.contains_key(next) {
                    before.insert(next.clone(), Some((measure.clone(), *formula)));
                    waiting.push_back(next.clone());
                }
            }
        }
        let mut at = other;
        loop {
            match before.get(&at)? {
                None => return Some(because),
                Some((previous, formula)) => {
                    because.extend(&work.formula(&work.formulas[*formula]).from);
                    at = previous.clone();
                }
            }
        }
    }
}
