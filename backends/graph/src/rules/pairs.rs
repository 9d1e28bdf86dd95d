//! Sound rules for pairs of edges with one source vertex.
//!
//! The study has eighty such rules for particular pairs of operations. Most of them say one thing: two words
//! that stand in one string at known places agree where they overlap. Said once (`overlap`, `overlap_char`),
//! it covers prefixes, suffixes, indices, substrings and characters in all combinations; the rest is about
//! first and last occurrences and about what does not occur.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a rule concludes something from the relations that it names and nothing from others"
)]

use harness_model::int::Int;

use super::PairRule;
use super::view::{View, find, find_last};
use crate::edge::{Edge, Relation, StringVertex};
use crate::formula::IntFormula;
use crate::linear::Sum;

/// The table.
pub const RULES: &[PairRule] = &[
    PairRule { name: "rule_opposed", apply: opposed },
    PairRule { name: "rule_overlap", apply: overlap },
    PairRule { name: "rule_overlap_char", apply: overlap_char },
    PairRule { name: "rule_same_char", apply: same_char },
    PairRule { name: "rule_char_absent", apply: char_absent },
    PairRule { name: "rule_char_before_index", apply: char_before_index },
    PairRule { name: "rule_char_after_last_index", apply: char_after_last_index },
    PairRule { name: "rule_index_absent", apply: index_absent },
    PairRule { name: "rule_index_not_start", apply: index_not_start },
    PairRule { name: "rule_last_index_not_end", apply: last_index_not_end },
    PairRule { name: "rule_index_of_part", apply: index_of_part },
    PairRule { name: "rule_last_index_of_part", apply: last_index_of_part },
    PairRule { name: "rule_index_in_prefix", apply: index_in_prefix },
    PairRule { name: "rule_last_index_in_suffix", apply: last_index_in_suffix },
    PairRule { name: "rule_last_index_in_prefix", apply: last_index_in_prefix },
    PairRule { name: "rule_same_needle", apply: same_needle },
    PairRule { name: "rule_same_needle_last", apply: same_needle_last },
    PairRule { name: "rule_first_before_last", apply: first_before_last },
];

const NOTHING: IntFormula = IntFormula::Bool(true);

fn zero() -> Sum {
    Sum::from(0_i64)
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

/// Whether every word that `inner` occurs in, `outer` occurs in too, at the same place or further right; that
/// is, whether `outer` is a part of `inner`. Equal vertices have equal words; constants are compared.
fn is_part(view: &View<'_>, outer: StringVertex, inner: StringVertex) -> bool {
    outer == inner
        || matches!((view.word(outer), view.word(inner)), (Some(o), Some(i)) if find(i, o).is_some())
}

/// What is a prefix, a suffix or a part is not absent. With `e` a prefix (suffix, part) of `d`: who starts
/// (ends) with or contains `d` does the same with `e`; and prefixes and suffixes are parts.
fn opposed(view: &View<'_>, yes: &Edge, no: &Edge) -> IntFormula {
    if !yes.positive || no.positive {
        return NOTHING;
    }
    let starts =
        |d, e| d == e || matches!((view.word(d), view.word(e)), (Some(d), Some(e)) if d.starts_with(e));
    let ends = |d, e| d == e || matches!((view.word(d), view.word(e)), (Some(d), Some(e)) if d.ends_with(e));
    let clash = match (&yes.relation, &no.relation) {
        (Relation::StartsWith { t: d, .. }, Relation::StartsWith { t: e, .. }) => starts(*d, *e),
        (Relation::EndsWith { t: d, .. }, Relation::EndsWith { t: e, .. }) => ends(*d, *e),
        (
            Relation::StartsWith { t: d, .. }
            | Relation::EndsWith { t: d, .. }
            | Relation::Contains { t: d, .. },
            Relation::Contains { t: e, .. },
        ) => is_part(view, *e, *d),
        (Relation::InRe { s: d, regex: x }, Relation::InRe { s: e, regex: y }) => d == e && x == y,
        (Relation::IsDigit { s: d }, Relation::IsDigit { s: e }) => d == e,
        (
            Relation::Less { s: a, t: b },
            Relation::Less { s: c, t: d } | Relation::LessEqual { s: c, t: d },
        )
        | (Relation::LessEqual { s: a, t: b }, Relation::LessEqual { s: c, t: d }) => a == c && b == d,
        _ => false,
    };
    IntFormula::Bool(!clash)
}

/// Two words in one string agree wherever they overlap: for each difference of their places at which they
/// would not, the places do not differ by it, if both words are there.
fn overlap(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some(x), Some(y)) = (view.occurrence(first), view.occurrence(second)) else { return NOTHING };
    let absent = or([x.when.negate(), y.when.negate()]);
    let (n, m) = (x.word.len(), y.word.len());
    // y starts `shift - m + 1` places after x: from just overlapping on the left to just overlapping on the
    // right.
    let clashes = (0..n + m - 1).filter(|shift| {
        (0..n).any(|p| (p + m - 1).checked_sub(*shift).is_some_and(|q| q < m && x.word[p] != y.word[q]))
    });
    let distance = y.at.sub(&x.at);
    and(clashes.map(|shift| {
        let difference = Sum::from(shift).sub(&Sum::from(m - 1));
        or([absent.clone(), distance.ne(&difference)])
    }))
}

/// A character inside a word that stands at a known place is that of the word.
fn overlap_char(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some(x), Relation::CharAt { i, c, .. }) = (view.occurrence(first), &second.relation) else {
        return NOTHING;
    };
    let (i, c) = (view.int(*i), view.int(*c));
    and(x.word.iter().enumerate().map(|(p, d)| {
        let place = x.at.add(&Sum::from(p));
        or([x.when.negate(), i.ne(&place), c.eq(&Sum::from(i64::from(d.0)))])
    }))
}

/// There is one character at a place.
pub(super) fn same_char(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (Relation::CharAt { i, c, .. }, Relation::CharAt { i: j, c: d, .. }) => {
            or([view.int(*i).ne(&view.int(*j)), view.int(*c).eq(&view.int(*d))])
        }
        _ => NOTHING,
    }
}

/// No character of a string is one that it does not contain.
fn char_absent(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (Relation::CharAt { c, .. }, Relation::Contains { t, .. }) if !second.positive => match view.word(*t)
        {
            Some([d]) => view.int(*c).ne(&Sum::from(i64::from(d.0))),
            _ => NOTHING,
        },
        _ => NOTHING,
    }
}

/// Between `from` and the first occurrence of a character, or the end when there is none, it does not stand.
fn char_before_index(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (Relation::CharAt { i: k, c, .. }, Relation::IndexOf { t, from, i, .. }) => match view.word(*t) {
            Some([d]) => {
                let (k, c, from, i) = (view.int(*k), view.int(*c), view.int(*from), view.int(*i));
                let behind = and([zero().le(&i), i.le(&k)]);
                or([from.lt(&zero()), k.lt(&from), behind, c.ne(&Sum::from(i64::from(d.0)))])
            }
            _ => NOTHING,
        },
        _ => NOTHING,
    }
}

/// Between the last occurrence of a character up to `from`, or the start when there is none, and `from` it
/// does not stand.
fn char_after_last_index(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (Relation::CharAt { i: k, c, .. }, Relation::LastIndexOf { t, from, i, .. }) => match view.word(*t) {
            Some([d]) => {
                let (k, c, from, i) = (view.int(*k), view.int(*c), view.int(*from), view.int(*i));
                let before = and([zero().le(&i), k.le(&i)]);
                or([from.lt(&k), before, c.ne(&Sum::from(i64::from(d.0)))])
            }
            _ => NOTHING,
        },
        _ => NOTHING,
    }
}

/// What contains an absent word is absent itself.
fn index_absent(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (
            Relation::IndexOf { t, i, .. } | Relation::LastIndexOf { t, i, .. },
            Relation::Contains { t: absent, .. },
        ) if !second.positive && is_part(view, *absent, *t) => view.int(*i).eq(&minus_one()),
        _ => NOTHING,
    }
}

/// A word with a certain prefix is not at the start of a string without that prefix.
fn index_not_start(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (
            Relation::IndexOf { t, i, .. } | Relation::LastIndexOf { t, i, .. },
            Relation::StartsWith { t: prefix, .. },
        ) if !second.positive => {
            let starts = t == prefix
                || matches!((view.word(*t), view.word(*prefix)), (Some(t), Some(p)) if t.starts_with(p));
            if starts { view.int(*i).ne(&zero()) } else { NOTHING }
        }
        _ => NOTHING,
    }
}

/// A word with a certain suffix is not at the end of a string without that suffix.
fn last_index_not_end(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (
            Relation::IndexOf { s, t, i, .. } | Relation::LastIndexOf { s, t, i, .. },
            Relation::EndsWith { t: suffix, .. },
        ) if !second.positive => {
            let ends = t == suffix
                || matches!((view.word(*t), view.word(*suffix)), (Some(t), Some(e)) if t.ends_with(e));
            let i = view.int(*i);
            if ends { or([i.eq(&minus_one()), i.ne(&view.len(*s).sub(&view.len(*t)))]) } else { NOTHING }
        }
        _ => NOTHING,
    }
}

/// What a string contains, starts or ends with is found from its start on.
fn index_of_part(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (
            Relation::IndexOf { t, from, i, .. },
            Relation::Contains { t: whole, .. }
            | Relation::StartsWith { t: whole, .. }
            | Relation::EndsWith { t: whole, .. },
        ) if second.positive && is_part(view, *t, *whole) => {
            let (from, i) = (view.int(*from), view.int(*i));
            let found = if matches!(second.relation, Relation::StartsWith { .. }) && t == whole {
                i.eq(&zero())
            } else {
                zero().le(&i)
            };
            or([from.ne(&zero()), found])
        }
        _ => NOTHING,
    }
}

/// What a string contains, starts or ends with is found from its end on: at the end itself if it ends with
/// it.
fn last_index_of_part(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (
            Relation::LastIndexOf { s, t, from, i },
            Relation::Contains { t: whole, .. }
            | Relation::StartsWith { t: whole, .. }
            | Relation::EndsWith { t: whole, .. },
        ) if second.positive && is_part(view, *t, *whole) => {
            let (from, i) = (view.int(*from), view.int(*i));
            let end = view.len(*s).sub(&view.len(*t));
            let found = if matches!(second.relation, Relation::EndsWith { .. }) && t == whole {
                i.eq(&end)
            } else {
                zero().le(&i)
            };
            or([from.lt(&end), found])
        }
        _ => NOTHING,
    }
}

/// The first occurrence in a constant prefix is the first one from any place up to it; where there is none in
/// the prefix, an occurrence ends behind it.
fn index_in_prefix(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (Relation::IndexOf { t, from, i, .. }, Relation::StartsWith { t: prefix, .. }) if second.positive => {
            let (Some(needle), Some(prefix)) = (view.word(*t), view.word(*prefix)) else { return NOTHING };
            let (from, i) = (view.int(*from), view.int(*i));
            match find(prefix, needle) {
                Some(p) => {
                    let p = Sum::from(p);
                    or([from.lt(&zero()), p.lt(&from), i.eq(&p)])
                }
                None => {
                    let inside = Sum::from(prefix.len()).sub(&Sum::from(needle.len()));
                    or([i.eq(&minus_one()), inside.lt(&i)])
                }
            }
        }
        _ => NOTHING,
    }
}

/// The last occurrence in a constant suffix is the last one up to any place from it on; where there is none
/// in the suffix, an occurrence starts before it.
fn last_index_in_suffix(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (Relation::LastIndexOf { s, t, from, i }, Relation::EndsWith { t: suffix, .. })
            if second.positive =>
        {
            let (Some(needle), Some(suffix)) = (view.word(*t), view.word(*suffix)) else { return NOTHING };
            let (from, i) = (view.int(*from), view.int(*i));
            let start = view.len(*s).sub(&Sum::from(suffix.len()));
            match find_last(suffix, needle) {
                Some(p) => {
                    let place = start.add(&Sum::from(p));
                    or([from.lt(&place), i.eq(&place)])
                }
                None => or([i.eq(&minus_one()), i.lt(&start)]),
            }
        }
        _ => NOTHING,
    }
}

/// What stands at a place of a prefix stands there in the string: from that place on, the last occurrence is
/// there or behind it.
fn last_index_in_prefix(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (Relation::LastIndexOf { t, from, i, .. }, Relation::StartsWith { t: prefix, .. })
            if second.positive =>
        {
            let places: Vec<usize> = match (view.word(*t), view.word(*prefix)) {
                (Some(needle), Some(prefix)) => {
                    (0..=prefix.len()).filter(|&p| prefix[p..].starts_with(needle)).collect()
                }
                _ if t == prefix => vec![0],
                _ => return NOTHING,
            };
            let (from, i) = (view.int(*from), view.int(*i));
            and(places.into_iter().map(|place| {
                let place = Sum::from(place);
                or([from.lt(&place), place.le(&i)])
            }))
        }
        _ => NOTHING,
    }
}

/// The first occurrence from a later place is not before the first one from an earlier place, and is that one
/// if that is late enough.
fn same_needle(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (Relation::IndexOf { t, from, i, .. }, Relation::IndexOf { t: u, from: later, i: j, .. })
            if t == u =>
        {
            let (from, i, later, j) = (view.int(*from), view.int(*i), view.int(*later), view.int(*j));
            let other_way = or([from.lt(&zero()), later.lt(&from)]);
            and([
                or([other_way.clone(), j.eq(&minus_one()), and([zero().le(&i), i.le(&j)])]),
                or([other_way, i.lt(&later), i.eq(&j)]),
            ])
        }
        _ => NOTHING,
    }
}

/// The last occurrence up to a later place is not before the last one up to an earlier place, and is that one
/// if that is early enough.
fn same_needle_last(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (Relation::LastIndexOf { t, from, i, .. }, Relation::LastIndexOf { t: u, from: later, i: j, .. })
            if t == u =>
        {
            let (from, i, later, j) = (view.int(*from), view.int(*i), view.int(*later), view.int(*j));
            let other_way = later.lt(&from);
            and([
                or([other_way.clone(), i.eq(&minus_one()), and([zero().le(&j), i.le(&j)])]),
                or([other_way, j.eq(&minus_one()), from.lt(&j), i.eq(&j)]),
            ])
        }
        _ => NOTHING,
    }
}

/// Where there is a last occurrence there is a first one from the start, and not behind it.
fn first_before_last(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (Relation::IndexOf { t, from, i, .. }, Relation::LastIndexOf { t: u, i: last, .. }) if t == u => {
            let (from, i, last) = (view.int(*from), view.int(*i), view.int(*last));
            or([from.ne(&zero()), last.eq(&minus_one()), and([zero().le(&i), i.le(&last)])])
        }
        _ => NOTHING,
    }
}
