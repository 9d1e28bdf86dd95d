//! The rules of the study's implementation as it was published later, as part of Symbolic PathFinder: as they
//! are there, for comparison with those of its text.
//!
//! Marked `[U]`: rules that refute graphs which have solutions. Marked `[W]`: rules that are weaker than
//! meant. Operations that the implementation did not have keep the sound rule for single edges, so that
//! guesses make sense.
//!
//! The study's index operations with a character are those whose needle is a constant of one character or
//! made from a code; its `substring` operations are `substr` with a count that the reader of Java's
//! operations subtracted.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a rule concludes something from the relations that it names and nothing from others"
)]

pub mod index;
pub mod parts;

use harness_model::int::Int;

use super::view::View;
use super::{EdgeRule, single};
use crate::edge::{Edge, Relation, StringVertex};
use crate::formula::IntFormula;
use crate::linear::Sum;

/// The rules for single edges.
pub const EDGE_RULES: &[EdgeRule] = &[
    EdgeRule { name: "rule_spf_part", apply: single::part },
    EdgeRule { name: "rule_spf_concat", apply: single::concat },
    EdgeRule { name: "rule_spf_char_at", apply: char_at },
    EdgeRule { name: "rule_spf_substring", apply: substring },
    EdgeRule { name: "rule_spf_index_of", apply: index_of },
    EdgeRule { name: "rule_spf_index_of_from", apply: index_of_from },
    EdgeRule { name: "rule_spf_index_of_char", apply: index_of_char },
    EdgeRule { name: "rule_spf_index_of_char_from", apply: index_of_char_from },
    EdgeRule { name: "rule_spf_last_index_of_char", apply: last_index_of_char },
    EdgeRule { name: "rule_spf_trim", apply: single::trim },
    EdgeRule { name: "rule_other", apply: other },
];

/// The rule of the automata back end alone: results of `trim` shorter than two are left out. `[U]`
pub const TRIM_RULE: EdgeRule = EdgeRule { name: "rule_spf_trim_two", apply: trim_two };

const NOTHING: IntFormula = IntFormula::Bool(true);
/// The greatest index and length.
const MOST: i64 = 30;

fn number(value: i64) -> Sum {
    Sum::from(value)
}

fn minus_one() -> Sum {
    Sum::from(Int::MINUS_ONE)
}

fn and(parts: impl IntoIterator<Item = IntFormula>) -> IntFormula {
    IntFormula::and(parts)
}

fn or(parts: impl IntoIterator<Item = IntFormula>) -> IntFormula {
    IntFormula::or(parts)
}

/// An index operation as the study has it.
#[derive(Debug)]
pub(super) struct Index {
    pub s: StringVertex,
    pub t: StringVertex,
    /// Where it starts; `None` for the form without a start.
    pub from: Option<Sum>,
    pub i: Sum,
    pub last: bool,
    /// The code of the needle if it is a character.
    pub code: Option<Sum>,
}

impl Index {
    pub fn of(view: &View<'_>, edge: &Edge) -> Option<Self> {
        let (s, t, from, i, last) = match edge.relation {
            Relation::IndexOf { s, t, from, i } => (s, t, from, i, false),
            Relation::LastIndexOf { s, t, from, i } => (s, t, from, i, true),
            _ => return None,
        };
        let start = view.int(from);
        let whole = if last { start == view.len(s) } else { start == number(0) };
        Some(Self { s, t, from: (!whole).then_some(start), i: view.int(i), last, code: view.code(t) })
    }
}

/// Where a substring starts, and where it ends unless at the end of the string.
#[derive(Debug)]
pub(super) struct Substring {
    pub s: StringVertex,
    pub from: Sum,
    pub to: Option<Sum>,
    pub r: StringVertex,
}

impl Substring {
    pub fn of(view: &View<'_>, edge: &Edge) -> Option<Self> {
        let Relation::Substr { s, from, count, r } = edge.relation else { return None };
        let from = view.int(from);
        let to = from.add(&view.int(count));
        let to = (to != view.len(s)).then_some(to);
        Some(Self { s, from, to, r })
    }
}

/// `charAt`: an index below 30 inside the string, a character from 32 to 127.
fn char_at(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::CharAt { s, i, c } => {
            let (i, c) = (view.int(i), view.int(c));
            and([
                number(0).le(&i),
                i.lt(&number(MOST)),
                i.lt(&view.len(s)),
                number(32).le(&c),
                c.le(&number(127)),
            ])
        }
        _ => NOTHING,
    }
}

/// `substring`: for constant places the lengths fit, else little is said. A symbolic start with an end, which
/// the implementation does not take at all, has the sound rule.
fn substring(view: &View<'_>, edge: &Edge) -> IntFormula {
    let Some(Substring { s, from, to, r }) = Substring::of(view, edge) else { return NOTHING };
    let (length, part) = (view.len(s), view.len(r));
    match (from.value().is_some(), to) {
        (true, None) => and([part.le(&length), from.add(&part).le(&length)]),
        (false, None) => and([part.le(&length), number(0).le(&from)]),
        (true, Some(to)) if to.value().is_some() => and([to.le(&length), part.eq(&to.sub(&from))]),
        (true, Some(to)) => and([part.le(&length), to.le(&length), number(0).le(&to), from.le(&to)]),
        (false, Some(_)) => {
            let sound = single::RULES.iter().find(|rule| rule.name == "rule_length_substr");
            sound.map_or(NOTHING, |rule| (rule.apply)(view, edge))
        }
    }
}

/// `indexOf` with a string. `[U]`: the needle fits behind -1 even when it is absent, so it is at most one
/// longer than the string.
fn index_of(view: &View<'_>, edge: &Edge) -> IntFormula {
    match Index::of(view, edge) {
        Some(Index { s, t, from: None, i, last: false, code: None }) => view.len(t).add(&i).le(&view.len(s)),
        _ => NOTHING,
    }
}

/// `indexOf` with a string from a place. `[U]`: as for [`index_of`].
fn index_of_from(view: &View<'_>, edge: &Edge) -> IntFormula {
    match Index::of(view, edge) {
        Some(Index { s, t, from: Some(from), i, last: false, code: None }) => {
            let fits = i.add(&view.len(t)).le(&view.len(s));
            let absent = i.eq(&minus_one());
            and([or([absent, from.le(&i)]), i.le(&number(MOST)), fits])
        }
        _ => NOTHING,
    }
}

fn is_character(code: &Sum) -> IntFormula {
    and([number(32).le(code), code.lt(&number(127))])
}

/// `indexOf` with a character.
fn index_of_char(view: &View<'_>, edge: &Edge) -> IntFormula {
    match Index::of(view, edge) {
        Some(Index { s, from: None, i, last: false, code: Some(code), .. }) => {
            and([is_character(&code), i.le(&number(MOST)), i.lt(&view.len(s))])
        }
        _ => NOTHING,
    }
}

/// `indexOf` with a character from a place. `[U]`: the result is at or after the place even when it is -1.
fn index_of_char_from(view: &View<'_>, edge: &Edge) -> IntFormula {
    match Index::of(view, edge) {
        Some(Index { s, from: Some(from), i, last: false, code: Some(code), .. }) => {
            and([is_character(&code), i.le(&number(MOST)), from.le(&i), i.lt(&view.len(s))])
        }
        _ => NOTHING,
    }
}

/// `lastIndexOf` with a character. `[W]`: with a place, the range of the character is not stated.
fn last_index_of_char(view: &View<'_>, edge: &Edge) -> IntFormula {
    match Index::of(view, edge) {
        Some(Index { s, from, i, last: true, code: Some(code), .. }) => {
            let inside = i.lt(&view.len(s));
            match from {
                None => and([is_character(&code), i.le(&number(MOST)), inside]),
                Some(from) => and([or([i.le(&from), i.eq(&minus_one())]), inside]),
            }
        }
        _ => NOTHING,
    }
}

/// `trim` of the automata back end, which goes round a defect of its library. `[U]`: results shorter than two
/// are left out.
fn trim_two(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::Trim { r, .. } => number(2).le(&view.len(r)),
        _ => NOTHING,
    }
}

/// Operations that the implementation does not have: all sound rules for single edges.
fn other(view: &View<'_>, edge: &Edge) -> IntFormula {
    let known = match edge.relation {
        Relation::LastIndexOf { t, .. } => view.code(t).is_some(),
        Relation::Equal { .. }
        | Relation::StartsWith { .. }
        | Relation::EndsWith { .. }
        | Relation::Contains { .. }
        | Relation::Concat { .. }
        | Relation::CharAt { .. }
        | Relation::Substr { .. }
        | Relation::IndexOf { .. }
        | Relation::Trim { .. } => true,
        _ => false,
    };
    if known { NOTHING } else { and(single::RULES.iter().map(|rule| (rule.apply)(view, edge))) }
}
