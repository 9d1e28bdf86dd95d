//! The published implementation's pair rules for `indexOf` and `lastIndexOf`.
//!
//! A needle that is a constant of one character counts as a character. One clause of the implementation is
//! left out, for it depends on values that the integer solver happens to choose while preprocessing: after
//! the rule for `indexOf` from a place and `charAt`.

use harness_model::Char;

use super::parts::code;
use super::{Index, Substring, and, minus_one, number, or};
use crate::edge::{Edge, Relation};
use crate::formula::IntFormula;
use crate::linear::Sum;
use crate::rules::PairRule;
use crate::rules::view::{View, find};

/// The table.
pub const RULES: &[PairRule] = &[
    PairRule { name: "rule_spf_index_index", apply: index_index },
    PairRule { name: "rule_spf_index_index_from", apply: index_index_from },
    PairRule { name: "rule_spf_index_from_index_from", apply: index_from_index_from },
    PairRule { name: "rule_spf_index_char_index", apply: index_char_index },
    PairRule { name: "rule_spf_index_prefix", apply: index_prefix },
    PairRule { name: "rule_spf_index_absent", apply: index_absent },
    PairRule { name: "rule_spf_index_not_prefix", apply: index_not_prefix },
    PairRule { name: "rule_spf_index_part", apply: index_part },
    PairRule { name: "rule_spf_index_char_at", apply: index_char_at },
    PairRule { name: "rule_spf_index_substring", apply: index_substring },
    PairRule { name: "rule_spf_char_index_absent", apply: char_index_absent },
    PairRule { name: "rule_spf_char_index_prefix", apply: char_index_prefix },
    PairRule { name: "rule_spf_char_index_part", apply: char_index_part },
    PairRule { name: "rule_spf_char_index_char_at", apply: char_index_char_at },
    PairRule { name: "rule_spf_two_char_indices", apply: two_char_indices },
    PairRule { name: "rule_spf_last_char_index_suffix", apply: last_char_index_suffix },
    PairRule { name: "rule_spf_last_char_index_char_at", apply: last_char_index_char_at },
];

const NOTHING: IntFormula = IntFormula::Bool(true);

/// A forward index of a string.
fn of_string(view: &View<'_>, edge: &Edge) -> Option<Index> {
    Index::of(view, edge).filter(|index| !index.last && index.code.is_none())
}

/// A forward index of a character.
fn of_char(view: &View<'_>, edge: &Edge) -> Option<(Index, Sum)> {
    let index = Index::of(view, edge).filter(|index| !index.last)?;
    let code = index.code.clone()?;
    Some((index, code))
}

/// The pairs of places at which two words have different characters.
fn mismatches<'w>(d: &'w [Char], e: &'w [Char]) -> impl Iterator<Item = (usize, usize)> + 'w {
    (0..d.len()).flat_map(move |p| (0..e.len()).filter(move |&q| d[p] != e[q]).map(move |q| (p, q)))
}

fn at(i: &Sum, p: usize) -> Sum {
    i.add(&Sum::from(p))
}

/// Two indices of strings. `[U]`: for different constants the offsets are exchanged.
fn index_index(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some(a), Some(b)) = (of_string(view, first), of_string(view, second)) else { return NOTHING };
    if a.from.is_some() || b.from.is_some() {
        return NOTHING;
    }
    if a.t == b.t {
        return a.i.eq(&b.i);
    }
    let (Some(d), Some(e)) = (view.word(a.t), view.word(b.t)) else { return NOTHING };
    and(mismatches(d, e)
        .filter(|(p, q)| q >= p)
        .map(|(p, q)| or([a.i.eq(&minus_one()), b.i.eq(&minus_one()), at(&a.i, q).ne(&at(&b.i, p))])))
}

/// An index of a string, and one from a place. `[U]`: as for [`index_index`].
fn index_index_from(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some(a), Some(b)) = (of_string(view, first), of_string(view, second)) else { return NOTHING };
    let (None, Some(m)) = (&a.from, &b.from) else { return NOTHING };
    let later = a.i.le(m);
    if a.t == b.t {
        return or([later, a.i.eq(&b.i)]);
    }
    let (Some(d), Some(e)) = (view.word(a.t), view.word(b.t)) else { return NOTHING };
    and(mismatches(d, e).filter(|(p, q)| q >= p).map(|(p, q)| {
        or([later.clone(), a.i.eq(&minus_one()), b.i.eq(&minus_one()), at(&a.i, q).ne(&at(&b.i, p))])
    }))
}

/// Two indices of strings from places. `[U]`: the same string is looked for from the same place.
fn index_from_index_from(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some(a), Some(b)) = (of_string(view, first), of_string(view, second)) else { return NOTHING };
    let (Some(m), Some(n)) = (&a.from, &b.from) else { return NOTHING };
    if a.t == b.t {
        return and([a.i.eq(&b.i), m.eq(n)]);
    }
    let (Some(d), Some(e)) = (view.word(a.t), view.word(b.t)) else { return NOTHING };
    and(mismatches(d, e)
        .map(|(p, q)| or([a.i.eq(&minus_one()), b.i.eq(&minus_one()), at(&a.i, p).ne(&at(&b.i, q))])))
}

/// An index of a constant string and one of a character: not at a place where the string has another
/// character. `[U]`: an absent string is taken to stand at -1.
fn index_char_index(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some(a), Some((b, ch))) = (of_string(view, first), of_char(view, second)) else { return NOTHING };
    let Some(d) = view.word(a.t) else { return NOTHING };
    let escape = match (&a.from, &b.from) {
        (None, Some(m)) => a.i.le(m),
        (Some(m), None) => b.i.le(m),
        _ => IntFormula::Bool(false),
    };
    and(d.iter().enumerate().map(|(p, &c)| or([escape.clone(), ch.eq(&code(c)), at(&a.i, p).ne(&b.i)])))
}

/// An index of a string and a prefix.
fn index_prefix(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some(a), Relation::StartsWith { t, .. }) = (of_string(view, first), &second.relation) else {
        return NOTHING;
    };
    if !second.positive {
        return NOTHING;
    }
    if a.t == *t {
        let started = a.from.as_ref().map_or(IntFormula::Bool(false), |m| number(0).lt(m));
        return or([started, a.i.eq(&number(0))]);
    }
    let (Some(needle), Some(prefix)) = (view.word(a.t), view.word(*t)) else { return NOTHING };
    match find(prefix, needle) {
        Some(place) => {
            let place = Sum::from(place);
            let started = a.from.as_ref().map_or(IntFormula::Bool(false), |m| place.le(m));
            or([started, a.i.eq(&place)])
        }
        None => {
            let inside = Sum::from(prefix.len()).sub(&Sum::from(needle.len()));
            or([inside.lt(&a.i), a.i.eq(&minus_one())])
        }
    }
}

/// An index of a string and what is not contained. `[U]`: for constants it is the absent word that contains
/// the needle.
fn index_absent(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some(a), Relation::Contains { t, .. }) = (of_string(view, first), &second.relation) else {
        return NOTHING;
    };
    let constants = view.word(a.t).zip(view.word(*t));
    let absent = a.t == *t || constants.is_some_and(|(needle, absent)| find(absent, needle).is_some());
    if second.positive || !absent { NOTHING } else { a.i.eq(&minus_one()) }
}

/// An index of a string and what is no prefix. `[U]`: it may still be found further on.
fn index_not_prefix(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some(a), Relation::StartsWith { t, .. }) = (of_string(view, first), &second.relation) else {
        return NOTHING;
    };
    if second.positive {
        return NOTHING;
    }
    let absent = a.i.eq(&minus_one());
    match &a.from {
        Some(m) if a.t == *t => or([number(0).lt(m), absent]),
        Some(_) => NOTHING,
        None => {
            let constants = view.word(a.t).zip(view.word(*t));
            let starts = constants.is_some_and(|(needle, prefix)| prefix.starts_with(needle));
            if a.t == *t || starts { absent } else { NOTHING }
        }
    }
}

/// An index of a string that is contained.
fn index_part(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some(a), Relation::Contains { t, .. }) = (of_string(view, first), &second.relation) else {
        return NOTHING;
    };
    let constants = view.word(a.t).zip(view.word(*t));
    let contained = a.t == *t || constants.is_some_and(|(needle, part)| find(part, needle).is_some());
    if second.positive && a.from.is_none() && contained { number(0).le(&a.i) } else { NOTHING }
}

/// An index of a constant string and a character: outside, or one of the string's. `[U]`: an absent string is
/// taken to stand at -1.
fn index_char_at(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some(a), Relation::CharAt { i: k, c, .. }) = (of_string(view, first), &second.relation) else {
        return NOTHING;
    };
    let Some(d) = view.word(a.t) else { return NOTHING };
    let (k, v) = (view.int(*k), view.int(*c));
    match (&a.from, d.first()) {
        (None, _) => {
            let outside = [k.lt(&a.i), at(&a.i, d.len()).le(&k)];
            or(outside.into_iter().chain(d.iter().map(|&c| v.eq(&code(c)))))
        }
        (Some(_), Some(&start)) => or([v.eq(&code(start)), a.i.ne(&k)]),
        (Some(_), None) => NOTHING,
    }
}

/// An index of a constant string and a constant substring. `[U]`: an occurrence that starts in the substring
/// need not end in it.
fn index_substring(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some(a), Some(part)) = (of_string(view, first), Substring::of(view, second)) else { return NOTHING };
    let (Some(d), Some(e)) = (view.word(a.t), view.word(part.r)) else { return NOTHING };
    if a.from.is_some() {
        return NOTHING;
    }
    let place = find(e, d).map_or_else(minus_one, Sum::from);
    let end = part.to.unwrap_or_else(|| part.from.add(&view.len(part.r)));
    or([a.i.le(&part.from), end.le(&a.i), a.i.eq(&part.from.add(&place))])
}

/// The one character of a constant.
fn single(view: &View<'_>, t: crate::StringVertex) -> Option<Sum> {
    match view.word(t) {
        Some([c]) => Some(code(*c)),
        _ => None,
    }
}

/// Any index of a character and a character that is not contained.
fn char_index_absent(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some(a), Relation::Contains { t, .. }) = (Index::of(view, first), &second.relation) else {
        return NOTHING;
    };
    match (a.code, single(view, *t)) {
        (Some(ch), Some(d)) if !second.positive => or([a.i.eq(&minus_one()), ch.ne(&d)]),
        _ => NOTHING,
    }
}

/// An index of a character and a prefix, or no prefix, of one character.
fn char_index_prefix(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some((a, ch)), Relation::StartsWith { t, .. }) = (of_char(view, first), &second.relation) else {
        return NOTHING;
    };
    let Some(d) = single(view, *t) else { return NOTHING };
    let started = a.from.as_ref().map_or(IntFormula::Bool(false), |m| number(0).lt(m));
    let (is_start, is_first) = (ch.eq(&d), a.i.eq(&number(0)));
    if second.positive {
        and([
            or([started.clone(), is_start.negate(), is_first.clone()]),
            or([started, is_start, is_first.negate()]),
        ])
    } else {
        or([started, is_start.negate(), is_first.negate()])
    }
}

/// An index of a character, first or last, without a place, and a constant part: found if it is in the part.
fn char_index_part(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some(a), Relation::Contains { t, .. }) = (Index::of(view, first), &second.relation) else {
        return NOTHING;
    };
    match (a.code, a.from, view.word(*t)) {
        (Some(ch), None, Some(part)) if second.positive => {
            and(part.iter().map(|&c| or([ch.ne(&code(c)), number(0).le(&a.i)])))
        }
        _ => NOTHING,
    }
}

/// An index of a character and a character at a place. From a place: only for a constant character.
fn char_index_char_at(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some((a, ch)), Relation::CharAt { i: k, c, .. }) = (of_char(view, first), &second.relation) else {
        return NOTHING;
    };
    let (k, v) = (view.int(*k), view.int(*c));
    let here = or([a.i.ne(&k), ch.eq(&v)]);
    match a.from {
        None => and([here, or([ch.ne(&v), a.i.le(&k)])]),
        Some(_) if ch.value().is_some() => here,
        Some(_) => NOTHING,
    }
}

/// Two indices of characters. `[U]`: both may be absent, which makes the places equal and not the characters.
fn two_char_indices(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some((a, ch)), Some((b, dh))) = (of_char(view, first), of_char(view, second)) else {
        return NOTHING;
    };
    let mut escapes = Vec::new();
    escapes.extend(b.from.as_ref().map(|m| a.i.le(m)));
    escapes.extend(a.from.as_ref().map(|m| b.i.le(m)));
    let escape = or(escapes);
    and([or([escape.clone(), ch.ne(&dh), a.i.eq(&b.i)]), or([escape, a.i.ne(&b.i), ch.eq(&dh)])])
}

/// A last index of a character.
fn last_of_char(view: &View<'_>, edge: &Edge) -> Option<(Index, Sum)> {
    let index = Index::of(view, edge).filter(|index| index.last)?;
    let code = index.code.clone()?;
    Some((index, code))
}

/// A last index of a character and a suffix, or no suffix, of one character. `[U]` for the form up to a
/// place: the place is not looked at.
fn last_char_index_suffix(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some((a, ch)), Relation::EndsWith { s, t }) = (last_of_char(view, first), &second.relation) else {
        return NOTHING;
    };
    let Some(d) = single(view, *t) else { return NOTHING };
    let is_last = a.i.eq(&view.len(*s).sub(&number(1)));
    let is_end = ch.eq(&d);
    if second.positive {
        and([or([is_end.negate(), is_last.clone()]), or([is_end, is_last.negate()])])
    } else {
        or([is_end.negate(), is_last.negate()])
    }
}

/// A last index of a character and a character at a place. `[U]` for the form up to a place: the comparison
/// is that of the first index.
fn last_char_index_char_at(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some((a, ch)), Relation::CharAt { i: k, c, .. }) = (last_of_char(view, first), &second.relation)
    else {
        return NOTHING;
    };
    let (k, v) = (view.int(*k), view.int(*c));
    let here = or([a.i.ne(&k), ch.eq(&v)]);
    match &a.from {
        None => and([here, or([ch.ne(&v), k.le(&a.i)])]),
        Some(m) => {
            let behind = m.lt(&k);
            and([or([behind.clone(), here]), or([behind, ch.ne(&v), a.i.le(&k)])])
        }
    }
}
