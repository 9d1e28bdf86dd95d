//! Codes that nothing but `charAt` names become characters: what need not be guessed as a number is left to
//! the strings.
//!
//! A code that is the character of some positions, and that integer constraints only bound, says no more than
//! that these positions hold one character within the bounds. So its edges `c = charAt(s, i)` become `r =
//! at(s, i)` with one new word `r` of one character; and a single edge whose bounds leave every character
//! says only that `i` is inside. The code of a solution is read off a word afterwards.
//!
//! Source: ours; the study guesses every code, and so spends an interchange on each character that does not
//! fit.

use std::sync::Arc;

use harness_model::int::Int;
use harness_model::{CharSet, Regex};

use super::{Sourced, Work};
use crate::edge::{Edge, IntVertex, Relation, StringVertex};
use crate::formula::IntFormula;
use crate::graph::IntKind;
use crate::linear::{Comparison, Sum};
use crate::reasons::Reasons;
use crate::rules::Counts;

/// A code that is no longer in the graph: that of the character of `s` at position `i`. Vertices are the
/// graph's before it is compacted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Code {
    pub code: IntVertex,
    pub s: StringVertex,
    pub i: IntVertex,
}

/// Rule `code_as_character`.
#[allow(clippy::wildcard_enum_match_arm, reason = "the edges are of this relation")]
pub(super) fn as_characters(work: &mut Work, counts: &mut Counts) -> Vec<Code> {
    let mut found = Vec::new();
    for code in candidates(work) {
        let Some((characters, mut from)) = bounded(work, code) else { continue };
        counts.add("rule_code_as_character");
        let (ours, mut edges): (Vec<Sourced<Edge>>, Vec<Sourced<Edge>>) = std::mem::take(&mut work.edges)
            .into_iter()
            .partition(|e| matches!(e.value.relation, Relation::CharAt { c, .. } if work.int(c) == code));
        ours.iter().for_each(|edge| from.extend(&work.edge(edge).from));
        let places: Vec<(StringVertex, IntVertex)> = ours
            .iter()
            .filter_map(|e| match e.value.relation {
                Relation::CharAt { s, i, .. } => Some((work.string(s), work.int(i))),
                _ => None,
            })
            .collect();
        found.extend(places.first().map(|&(s, i)| Code { code, s, i }));
        let all = characters == *work.graph.characters();
        if let ([(s, i)], true) = (places.as_slice(), all) {
            let index = work.graph.sum_of(*i);
            let length = Sum::from(work.graph.length(*s));
            let inside = [Sum::from(0_i64).le(&index), index.lt(&length)];
            work.formulas.extend(inside.map(|value| Sourced { value, from: from.clone() }));
        } else {
            let r = work.graph.auxiliary();
            let length = Sum::from(work.graph.length(r));
            work.formulas.push(Sourced { value: length.eq(&Sum::from(1_i64)), from: from.clone() });
            if !all {
                let regex = Arc::new(Regex::set(characters));
                let value = Edge::positive(Relation::InRe { s: r, regex });
                edges.push(Sourced { value, from: from.clone() });
            }
            edges.extend(places.iter().map(|&(s, i)| {
                let value = Edge::positive(Relation::At { s, i, r });
                Sourced { value, from: from.clone() }
            }));
        }
        work.grow();
        work.edges = edges;
    }
    found
}

/// Integers that are the code of a `charAt` and occur in no edge or definition otherwise. The words they are
/// read from are no constants, which may have characters that others may not have.
#[allow(clippy::wildcard_enum_match_arm, reason = "integers of any other relation are no candidates")]
fn candidates(work: &Work) -> Vec<IntVertex> {
    let mut codes = Vec::new();
    let mut others = Vec::new();
    for Sourced { value: edge, .. } in &work.edges {
        match edge.relation {
            Relation::CharAt { s, i, c } => {
                others.push(work.int(i));
                let list = if work.graph.word(work.string(s)).is_some() { &mut others } else { &mut codes };
                list.push(work.int(c));
            }
            _ => others.extend(edge.relation.ints().map(|i| work.int(i))),
        }
    }
    for (vertex, definition) in work.graph.definitions() {
        others.push(work.int(*vertex));
        work.definition(definition).formula(*vertex).each_vertex(&mut |v| others.push(work.int(v)));
    }
    codes.sort_unstable();
    codes.dedup();
    codes.retain(|c| {
        let plain = matches!(work.graph.int(*c), IntKind::Declared(_) | IntKind::Result | IntKind::Auxiliary);
        plain && !others.contains(c)
    });
    codes
}

/// The graph's characters within the bounds of the code; `None` if it is in a formula that is no bound.
/// With what that depends on.
fn bounded(work: &Work, code: IntVertex) -> Option<(CharSet, Reasons)> {
    let (mut low, mut high) = (0_i64, i64::from(work.graph.alphabet().max().0));
    let mut sources = Reasons::new();
    for formula in &work.formulas {
        let Sourced { value: formula, from } = work.formula(formula);
        let mut names = false;
        formula.each_vertex(&mut |v| names |= v == code);
        if names {
            bound(&formula, &mut low, &mut high)?;
            sources.extend(&from);
        }
    }
    let range = match (u32::try_from(low), u32::try_from(high)) {
        (Ok(low), Ok(high)) => CharSet::from_ranges([(low, high)]),
        _ => CharSet::empty(),
    };
    Some((range.intersection(work.graph.characters()), sources))
}

/// Narrows the bounds by a formula that is one, of one vertex with factor 1 or -1.
fn bound(formula: &IntFormula, low: &mut i64, high: &mut i64) -> Option<()> {
    let sum = match formula {
        IntFormula::And(parts) => return parts.iter().try_for_each(|part| bound(part, low, high)),
        IntFormula::Atom(sum, Comparison::AtMostZero) => sum,
        _ => return None,
    };
    let [(_, factor)] = sum.terms() else { return None };
    match factor.small()? {
        1 => *high = (*high).min(sum.constant().neg().small()?),
        -1 => *low = (*low).max(sum.constant().small()?),
        _ => return None,
    }
    Some(())
}

/// The code of the character of `word` at `index`; zero where there is none, which no solution has.
pub fn code_at(word: &harness_model::SmtString, index: &Int) -> Int {
    let place = index.small().and_then(|i| usize::try_from(i).ok());
    let character = place.and_then(|i| word.chars().get(i));
    character.map_or(Int::ZERO, |c| Int::from(i64::from(c.0)))
}
