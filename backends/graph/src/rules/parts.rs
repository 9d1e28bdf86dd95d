//! A sound rule for the whole graph: what is a part of a part is a part.
//!
//! Edges say of vertices that one is a prefix, a suffix or a part of another, and these relations are
//! transitive. A negative edge that denies what follows refutes the graph, and so does an order that a prefix
//! contradicts; what does not occur in a word is not found in its parts either. A part that is not the whole
//! is shorter ([`proper_part`]).
//!
//! Source: ours. The study's rules are for two edges with one source, so `r = trim(s)` with `!contains(s, r)`
//! is left to the guesses there, and every length is tried.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a rule concludes something from the relations that it names and nothing from others"
)]

use harness_model::int::Int;

use super::view::{View, find};
use crate::edge::{Edge, Relation, StringVertex};
use crate::formula::IntFormula;
use crate::linear::Sum;

/// The name of the rule: the counter that counts its applications.
pub const NAME: &str = "rule_part_of_part";

/// The name of the rule [`proper_part`].
pub const PROPER_PART: &str = "rule_length_proper_part";

/// Characters of constants that are looked through for others, at most.
const MOST_COMPARED: usize = 20_000_000;

/// How one word lies in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Start,
    End,
    Anywhere,
}

/// A rule for one edge: of two words that differ, one that is a part of the other is shorter. Without it a
/// solver that fixes lengths takes `trim(s) != s` with equal lengths for possible until it has tried every
/// word. Cost: linear in the edges.
pub fn proper_part(view: &View<'_>, edge: &Edge) -> IntFormula {
    let Relation::Equal { a, b } = edge.relation else { return IntFormula::Bool(true) };
    if edge.positive {
        return IntFormula::Bool(true);
    }
    let parts = Parts::of_edges(view);
    let shorter = |part, whole| {
        if parts.holds(whole, part, Place::Anywhere) {
            view.len(part).lt(&view.len(whole))
        } else {
            IntFormula::Bool(true)
        }
    };
    IntFormula::and([shorter(a, b), shorter(b, a)])
}

/// Which words are prefixes, suffixes and parts of which, as single edges say.
#[derive(Debug)]
pub struct Parts {
    /// By whole: its parts.
    within: Vec<Vec<(StringVertex, Place)>>,
}

impl Parts {
    /// What the edges of a graph say. Cost: linear in the edges.
    fn of_edges(view: &View<'_>) -> Self {
        let graph = view.graph();
        let mut within = vec![Vec::new(); graph.strings().len()];
        let mut add =
            |whole: StringVertex, part: StringVertex, place| within[whole.index()].push((part, place));
        for edge in graph.edges().iter().filter(|e| e.positive) {
            match edge.relation {
                Relation::StartsWith { s, t } => add(s, t, Place::Start),
                Relation::EndsWith { s, t } => add(s, t, Place::End),
                Relation::Contains { s, t } => add(s, t, Place::Anywhere),
                Relation::Concat { a, b, r } => {
                    add(r, a, Place::Start);
                    add(r, b, Place::End);
                }
                Relation::At { s, r, .. } | Relation::Trim { s, r } => add(s, r, Place::Anywhere),
                Relation::Substr { s, from, count, r } => {
                    // From 0 on it is a prefix, and as many characters as are left are a suffix; where
                    // `str.substr` is empty it is both.
                    let (from, count) = (view.int(from), view.int(count));
                    if from.value() == Some(&Int::ZERO) {
                        add(s, r, Place::Start);
                    }
                    let end = from.add(&count) == view.len(s);
                    add(s, r, if end { Place::End } else { Place::Anywhere });
                }
                _ => {}
            }
        }
        Self { within }
    }

    /// What the edges and the constants in them say, up to a bound on what is compared. Cost: linear in the
    /// edges, quadratic in the constants.
    pub fn new(view: &View<'_>) -> Self {
        let Self { mut within } = Self::of_edges(view);
        let graph = view.graph();
        let mut add =
            |whole: StringVertex, part: StringVertex, place| within[whole.index()].push((part, place));
        let mut constants: Vec<StringVertex> = graph
            .edges()
            .iter()
            .flat_map(|edge| edge.relation.strings())
            .filter(|&v| view.word(v).is_some())
            .collect();
        constants.sort_unstable();
        constants.dedup();
        let mut compared = 0;
        for &whole in &constants {
            for &part in constants.iter().filter(|&&part| part != whole) {
                let (Some(w), Some(p)) = (view.word(whole), view.word(part)) else { continue };
                compared += w.len();
                if compared > MOST_COMPARED {
                    return Self { within };
                }
                if w.starts_with(p) {
                    add(whole, part, Place::Start);
                }
                if w.ends_with(p) {
                    add(whole, part, Place::End);
                }
                if find(w, p).is_some() {
                    add(whole, part, Place::Anywhere);
                }
            }
        }
        Self { within }
    }

    /// Whether edges say that `part` is somewhere in `whole`. Cost: linear in the edges.
    pub fn contains(&self, whole: StringVertex, part: StringVertex) -> bool {
        self.holds(whole, part, Place::Anywhere)
    }

    /// Whether edges say that `part` is at this place of `whole`.
    fn holds(&self, whole: StringVertex, part: StringVertex, place: Place) -> bool {
        let mut seen = vec![false; self.within.len()];
        let mut open = vec![whole];
        while let Some(vertex) = open.pop() {
            if vertex == part {
                return true;
            }
            if std::mem::replace(&mut seen[vertex.index()], true) {
                continue;
            }
            let steps = self.within[vertex.index()].iter();
            open.extend(
                steps.filter(|(_, p)| place == Place::Anywhere || *p == place).map(|(part, _)| *part),
            );
        }
        false
    }

    /// What the edge implies beside all others; `false` when it contradicts them. Cost: linear in the edges,
    /// and for an index once for each edge that denies a part.
    pub fn apply(&self, view: &View<'_>, edge: &Edge) -> IntFormula {
        let clash = match (&edge.relation, edge.positive) {
            (Relation::StartsWith { s, t }, false) => self.holds(*s, *t, Place::Start),
            (Relation::EndsWith { s, t }, false) => self.holds(*s, *t, Place::End),
            (Relation::Contains { s, t }, false) => self.holds(*s, *t, Place::Anywhere),
            // A prefix of t is t or before it.
            (Relation::Less { s: t, t: prefix }, true) | (Relation::LessEqual { s: prefix, t }, false) => {
                self.holds(*t, *prefix, Place::Start)
            }
            _ => false,
        };
        if clash {
            return IntFormula::Bool(false);
        }
        let (Relation::IndexOf { s, t, i, .. } | Relation::LastIndexOf { s, t, i, .. }) = edge.relation
        else {
            return IntFormula::Bool(true);
        };
        let absent = view.graph().edges().iter().any(|other| match other.relation {
            Relation::Contains { s: whole, t: part } if !other.positive => {
                self.holds(whole, s, Place::Anywhere) && self.holds(t, part, Place::Anywhere)
            }
            _ => false,
        });
        if absent { view.int(i).eq(&Sum::from(Int::MINUS_ONE)) } else { IntFormula::Bool(true) }
    }
}
