//! The published implementation's pair rules for prefixes, suffixes, parts and characters.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a rule concludes something from the relations that it names and nothing from others"
)]

use harness_model::Char;

use super::{Substring, number, or};
use crate::edge::{Edge, Relation, StringVertex};
use crate::formula::IntFormula;
use crate::linear::Sum;
use crate::rules::PairRule;
use crate::rules::view::{View, find};

/// The table.
pub const RULES: &[PairRule] = &[
    PairRule { name: "rule_spf_two_prefixes", apply: two_prefixes },
    PairRule { name: "rule_spf_two_suffixes", apply: two_suffixes },
    PairRule { name: "rule_spf_opposed", apply: opposed },
    PairRule { name: "rule_spf_part_not_prefix", apply: part_not_prefix },
    PairRule { name: "rule_spf_part_not_suffix", apply: part_not_suffix },
    PairRule { name: "rule_spf_same_char", apply: same_char },
    PairRule { name: "rule_spf_char_prefix", apply: char_prefix },
    PairRule { name: "rule_spf_char_suffix", apply: char_suffix },
    PairRule { name: "rule_spf_char_absent", apply: char_absent },
    PairRule { name: "rule_spf_char_substring", apply: char_substring },
];

/// The rule that looks at edges of different sources too.
pub const CROSS_RULE: PairRule = PairRule { name: "rule_spf_char_any_suffix", apply: char_any_suffix };

const NOTHING: IntFormula = IntFormula::Bool(true);

pub(super) fn code(c: Char) -> Sum {
    number(i64::from(c.0))
}

/// What a string must begin with.
pub(in crate::rules) fn prefix(relation: &Relation) -> Option<StringVertex> {
    match relation {
        Relation::StartsWith { t, .. } => Some(*t),
        _ => None,
    }
}

/// What a string must end with.
pub(in crate::rules) fn suffix(relation: &Relation) -> Option<StringVertex> {
    match relation {
        Relation::EndsWith { t, .. } => Some(*t),
        _ => None,
    }
}

/// That the constants which two positive edges have at one end of a string do not clash.
pub(in crate::rules) fn two_ends(
    view: &View<'_>,
    [first, second]: [&Edge; 2],
    end: fn(&Relation) -> Option<StringVertex>,
    clash: fn(&[Char], &[Char]) -> bool,
) -> IntFormula {
    let constant = |edge: &Edge| end(&edge.relation).filter(|_| edge.positive).and_then(|t| view.word(t));
    match (constant(first), constant(second)) {
        (Some(d), Some(e)) => IntFormula::Bool(!clash(d, e)),
        (None, _) | (_, None) => NOTHING,
    }
}

/// Whether neither is a part of the other.
fn apart(d: &[Char], e: &[Char]) -> bool {
    find(d, e).is_none() && find(e, d).is_none()
}

/// Two constant prefixes: one must contain the other. `[W]`: it should be a prefix.
fn two_prefixes(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    two_ends(view, [first, second], prefix, apart)
}

/// Two constant suffixes: one must contain the other. `[W]`: it should be a suffix.
fn two_suffixes(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    two_ends(view, [first, second], suffix, apart)
}

/// A predicate and its opposite with one target; a prefix or suffix that is not contained.
fn opposed(_: &View<'_>, yes: &Edge, no: &Edge) -> IntFormula {
    if !yes.positive || no.positive {
        return NOTHING;
    }
    let clash = match (&yes.relation, &no.relation) {
        (
            Relation::StartsWith { t, .. },
            Relation::StartsWith { t: u, .. } | Relation::Contains { t: u, .. },
        )
        | (Relation::EndsWith { t, .. }, Relation::EndsWith { t: u, .. } | Relation::Contains { t: u, .. })
        | (Relation::Contains { t, .. }, Relation::Contains { t: u, .. }) => t == u,
        _ => false,
    };
    IntFormula::Bool(!clash)
}

/// Contained, but no prefix. `[U]`: a string may contain what it does not start with.
fn part_not_prefix(_: &View<'_>, yes: &Edge, no: &Edge) -> IntFormula {
    let clash = match (&yes.relation, &no.relation) {
        (Relation::Contains { t, .. }, Relation::StartsWith { t: u, .. }) => {
            yes.positive && !no.positive && t == u
        }
        _ => false,
    };
    IntFormula::Bool(!clash)
}

/// Contained, but no suffix. `[U]`: a string may contain what it does not end with.
fn part_not_suffix(_: &View<'_>, yes: &Edge, no: &Edge) -> IntFormula {
    let clash = match (&yes.relation, &no.relation) {
        (Relation::Contains { t, .. }, Relation::EndsWith { t: u, .. }) => {
            yes.positive && !no.positive && t == u
        }
        _ => false,
    };
    IntFormula::Bool(!clash)
}

/// Characters at equal constant places are equal.
fn same_char(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (Relation::CharAt { i, c, .. }, Relation::CharAt { i: j, c: d, .. }) => {
            let (i, j) = (view.int(*i), view.int(*j));
            if i.value().is_some() && i == j { view.int(*c).eq(&view.int(*d)) } else { NOTHING }
        }
        _ => NOTHING,
    }
}

/// For each character of the word: not that place, or that character.
fn each_place(word: &[Char], k: &Sum, v: &Sum, place: impl Fn(usize) -> Sum) -> IntFormula {
    IntFormula::and(word.iter().enumerate().map(|(j, &d)| or([k.ne(&place(j)), v.eq(&code(d))])))
}

/// A character inside a constant prefix.
pub(in crate::rules) fn char_prefix(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (Relation::CharAt { i, c, .. }, Relation::StartsWith { t, .. }) if second.positive => {
            match view.word(*t) {
                Some(word) => each_place(word, &view.int(*i), &view.int(*c), Sum::from),
                None => NOTHING,
            }
        }
        _ => NOTHING,
    }
}

/// A character at a symbolic place and a constant suffix. `[U]`: the place `|s|-j` is paired with the
/// character that stands at `|s|-1-j`.
fn char_suffix(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (Relation::CharAt { s, i, c }, Relation::EndsWith { t, .. }) if second.positive => {
            let (Some(word), k) = (view.word(*t), view.int(*i)) else { return NOTHING };
            if k.value().is_some() {
                return NOTHING;
            }
            let (v, length) = (view.int(*c), view.len(*s));
            let n = word.len();
            IntFormula::and(
                (0..n).map(|j| or([k.ne(&length.sub(&Sum::from(j))), v.eq(&code(word[n - 1 - j]))])),
            )
        }
        _ => NOTHING,
    }
}

/// A character of any string and a constant suffix of any string, as if it were one string. `[U]`: the
/// sources are not compared. The length is taken from the character's string.
fn char_any_suffix(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (Relation::CharAt { s, i, c }, Relation::EndsWith { t, .. }) if second.positive => {
            match view.word(*t) {
                Some(word) => {
                    let start = view.len(*s).sub(&Sum::from(word.len()));
                    each_place(word, &view.int(*i), &view.int(*c), |j| start.add(&Sum::from(j)))
                }
                None => NOTHING,
            }
        }
        _ => NOTHING,
    }
}

/// A string without a character does not have it anywhere.
fn char_absent(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, &second.relation) {
        (Relation::CharAt { c, .. }, Relation::Contains { t, .. }) if !second.positive => match view.word(*t)
        {
            Some([d]) => view.int(*c).ne(&code(*d)),
            _ => NOTHING,
        },
        _ => NOTHING,
    }
}

/// A character inside a constant substring.
fn char_substring(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    match (&first.relation, Substring::of(view, second)) {
        (Relation::CharAt { i, c, .. }, Some(Substring { from, r, .. })) => match view.word(r) {
            Some(word) => each_place(word, &view.int(*i), &view.int(*c), |j| from.add(&Sum::from(j))),
            None => NOTHING,
        },
        _ => NOTHING,
    }
}
