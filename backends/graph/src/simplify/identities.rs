//! Functions and predicates of arguments that are the same, or empty: rule `identity`.
//!
//! What is replaced by itself stays as it is, an empty word occurs everywhere, nothing stands beyond the end.
//! Where an argument has no bound, a solver that guesses its length would try one after the other.
//!
//! Source: ours, each from the definition of the function in SMT-LIB's theory of strings.

use std::collections::HashMap;

use harness_model::SmtString;
use harness_model::int::Int;
use harness_theory::Value;

use super::{RuleName, Sourced, Work};
use crate::edge::{Edge, IntVertex, Relation, StringVertex, Vertex};
use crate::linear::Sum;
use crate::reasons::Reasons;
use crate::rules::Counts;

const NAME: RuleName = "rule_identity";

/// Constants whose lengths multiply to more are not looked for in each other.
const MOST_COMPARED: usize = 1_000_000;

/// What an edge comes to.
enum Outcome {
    /// It holds whatever the words are.
    Always,
    /// It holds of no words.
    Never,
    /// It says that two words are the same.
    Same(StringVertex, StringVertex),
    /// It says that a word is empty.
    Empty(StringVertex),
    /// It says what a number is.
    Number(IntVertex, i64),
    /// It says the same as this one.
    Edge(Relation),
}

/// Rule `identity`.
pub(super) fn merge(work: &mut Work, counts: &mut Counts) -> Result<(), RuleName> {
    let mut kept = Vec::with_capacity(work.edges.len());
    let mut refuted = false;
    for edge in std::mem::take(&mut work.edges) {
        let edge = work.edge(&edge);
        let Some(outcome) = outcome(work, &edge.value).filter(|_| !refuted) else {
            kept.push(edge);
            continue;
        };
        work.present = edge.from.clone();
        if matches!(edge.value.relation, Relation::Replace { s, .. } if work.graph.word(s).is_some_and(SmtString::is_empty))
        {
            // A formula may have a part in it; which one is not looked up.
            let because: Vec<Reasons> = work.formulas.iter().map(|f| work.formula(f).from).collect();
            because.iter().for_each(|from| work.present.extend(from));
        }
        let held = match outcome {
            Outcome::Always => Ok(()),
            Outcome::Never => Err(()),
            Outcome::Same(a, b) => work.unite_strings(a, b),
            Outcome::Empty(a) => {
                let empty = work.constant(SmtString::default());
                work.unite_strings(a, empty)
            }
            Outcome::Number(i, value) => match work.unite(Vertex::Int(i), Value::Int(Int::from(value))) {
                // A length is no vertex of its own: the edge stays.
                Ok(false) => {
                    kept.push(edge);
                    continue;
                }
                Ok(true) => Ok(()),
                Err(()) => Err(()),
            },
            Outcome::Edge(relation) => {
                let positive = edge.value.positive;
                kept.push(Sourced { value: Edge { relation, positive }, from: edge.from });
                Ok(())
            }
        };
        counts.add(NAME);
        work.changed = true;
        refuted |= held.is_err();
    }
    work.edges = kept;
    if refuted { Err(NAME) } else { codes(work, counts) }
}

/// What the edge, over merged vertices, comes to; `None` where it depends on the words.
#[allow(clippy::wildcard_enum_match_arm, reason = "a relation that is not named is left as it is")]
fn outcome(work: &Work, edge: &Edge) -> Option<Outcome> {
    let word = |s: StringVertex| work.graph.word(s);
    let empty = |s: StringVertex| word(s).is_some_and(SmtString::is_empty);
    let number = |i: IntVertex| work.graph.number(i);
    let negative = |i: IntVertex| number(i).is_some_and(Int::is_negative);
    let is = |i: IntVertex, value: i64| number(i).is_some_and(|n| *n == Int::from(value));
    let is_length = |i: IntVertex, s: StringVertex| work.graph.length_of(s) == Some(i);
    let absent = |s: StringVertex, t: StringVertex| match (word(s), word(t)) {
        (Some(s), Some(t)) => {
            !t.is_empty()
                && s.len().saturating_mul(t.len()) < MOST_COMPARED
                && !s.chars().windows(t.len()).any(|part| part == t.chars())
        }
        _ => false,
    };
    // A formula says that it has a character.
    let is_longer = |t: StringVertex| {
        let says = |length| Sum::from(0_i64).lt(&Sum::from(length));
        work.graph.length_of(t).is_some_and(|length| {
            work.formulas.iter().any(|formula| work.formula(formula).value == says(length))
        })
    };
    let truth = |holds: bool| if holds == edge.positive { Outcome::Always } else { Outcome::Never };
    match edge.relation {
        Relation::Replace { s, t, by, r } if edge.positive => {
            if t == s {
                Some(Outcome::Same(r, by))
            } else if t == by || absent(s, t) || empty(s) && is_longer(t) {
                Some(Outcome::Same(r, s))
            } else {
                empty(t).then_some(Outcome::Edge(Relation::Concat { a: by, b: s, r }))
            }
        }
        Relation::ReplaceAll { s, t, by, r } if edge.positive => {
            (empty(t) || empty(s) || t == by || absent(s, t)).then_some(Outcome::Same(r, s))
        }
        Relation::IndexOf { s, t, from, i } if edge.positive => {
            ((t == s || empty(t)) && is(from, 0)).then_some(Outcome::Number(i, 0))
        }
        Relation::CompareTo { s, t, i } if edge.positive => (s == t).then_some(Outcome::Number(i, 0)),
        Relation::Contains { s, t } | Relation::StartsWith { s, t } | Relation::EndsWith { s, t } => {
            if s == t || empty(t) {
                Some(truth(true))
            } else {
                (empty(s) && edge.positive).then_some(Outcome::Empty(t))
            }
        }
        Relation::Less { s, t } => (s == t || empty(t)).then(|| truth(false)),
        Relation::LessEqual { s, t } => {
            if s == t || empty(s) {
                Some(truth(true))
            } else {
                (empty(t) && edge.positive).then_some(Outcome::Empty(s))
            }
        }
        Relation::At { s, i, r } if edge.positive => {
            (empty(s) || negative(i) || is_length(i, s)).then_some(Outcome::Empty(r))
        }
        Relation::Substr { s, from, count, r } if edge.positive => {
            if empty(s) || negative(from) || negative(count) || is(count, 0) || is_length(from, s) {
                Some(Outcome::Empty(r))
            } else {
                (is(from, 0) && is_length(count, s)).then_some(Outcome::Same(r, s))
            }
        }
        Relation::Concat { a, b, r } if edge.positive => {
            if r == a && !empty(b) {
                Some(Outcome::Empty(b))
            } else {
                (r == b && !empty(a)).then_some(Outcome::Empty(a))
            }
        }
        _ => None,
    }
}

/// The character of the code of a word of one character is that word.
fn codes(work: &mut Work, counts: &mut Counts) -> Result<(), RuleName> {
    let mut words: HashMap<IntVertex, (StringVertex, usize)> = HashMap::new();
    for (place, edge) in work.edges.iter().enumerate() {
        if let Relation::ToCode { s, c } = work.relation(&edge.value.relation)
            && edge.value.positive
            && work.graph.length_of(s).is_some_and(|length| is_one(work, length))
        {
            words.insert(c, (s, place));
        }
    }
    for place in 0..work.edges.len() {
        let edge = &work.edges[place];
        let Relation::FromCode { c, r } = work.relation(&edge.value.relation) else { continue };
        let Some(&(s, other)) = words.get(&c).filter(|_| edge.value.positive) else { continue };
        if work.string(s) == work.string(r) {
            continue;
        }
        let mut because = work.edge(edge).from;
        because.extend(&work.edge(&work.edges[other]).from);
        // Which formula says how long the word is, is not looked up.
        work.formulas.iter().for_each(|formula| because.extend(&work.formula(formula).from));
        work.present = because;
        counts.add(NAME);
        work.unite_strings(s, r).map_err(|()| NAME)?;
    }
    Ok(())
}

/// Whether the vertex is 1, or a formula that is asserted says so.
fn is_one(work: &Work, vertex: IntVertex) -> bool {
    let one = Sum::from(1_i64);
    let vertex = work.int(vertex);
    work.graph.number(vertex).is_some_and(|n| *n == Int::from(1_i64))
        || work.formulas.iter().any(|formula| {
            let says = work.formula(formula).value;
            says == Sum::from(vertex).eq(&one) || says == one.eq(&Sum::from(vertex))
        })
}
