//! The rules that the study's text states, as they are there: table 3.1, figure 3.10, the example before it,
//! and the list of what is unsatisfiable in section 3.4.2.
//!
//! The text says that 80 pairs of operations have a rule and prints five; those are here, with the ones of
//! the list in section 3.4.2, and no others. `[U]` and
//! `[W]` mark as in [`super::spf`]. Operations and forms that table 3.1 does not have keep the sound rules
//! for single edges, so that guesses make sense.
//!
//! `substring(n, k)` of the table has `k` characters: with Java's `k`, the place after the last one, the row
//! would be wrong of nearly every substring. Here that is `substr`, whose count the reader of Java's
//! operations subtracted. An index that is less than -1 is left out, and a code that is no character of the
//! study's: no operation gives one.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a rule concludes something from the relations that it names and nothing from others"
)]

use super::spf::parts::{char_prefix, prefix, suffix, two_ends};
use super::spf::{Index, Substring};
use super::view::View;
use super::{EdgeRule, PairRule, pairs, single};
use crate::edge::{Edge, Relation};
use crate::formula::IntFormula;
use crate::linear::Sum;
use harness_model::Char;
use harness_model::int::Int;

/// Table 3.1.
pub const EDGE_RULES: &[EdgeRule] = &[
    EdgeRule { name: "rule_thesis_part", apply: single::part },
    EdgeRule { name: "rule_thesis_concat", apply: single::concat },
    EdgeRule { name: "rule_thesis_char_at", apply: char_at },
    EdgeRule { name: "rule_thesis_index_of", apply: index_of },
    EdgeRule { name: "rule_thesis_substring", apply: substring },
    EdgeRule { name: "rule_thesis_trim", apply: single::trim },
    EdgeRule { name: "rule_other", apply: other },
];

/// Figure 3.10 and section 3.4.2.
pub const PAIR_RULES: &[PairRule] = &[
    PairRule { name: "rule_thesis_opposed", apply: opposed },
    PairRule { name: "rule_thesis_two_prefixes", apply: two_prefixes },
    PairRule { name: "rule_thesis_two_suffixes", apply: two_suffixes },
    PairRule { name: "rule_thesis_two_chars", apply: pairs::same_char },
    PairRule { name: "rule_thesis_char_prefix", apply: char_prefix },
    PairRule { name: "rule_thesis_index_char_at", apply: index_char_at },
    PairRule { name: "rule_thesis_index_index_from", apply: index_index_from },
];

const NOTHING: IntFormula = IntFormula::Bool(true);

fn number(value: i64) -> Sum {
    Sum::from(value)
}

fn minus_one() -> Sum {
    Sum::from(Int::MINUS_ONE)
}

/// `charAt`: the index is not beyond the end. `[W]`: it may be the end.
fn char_at(view: &View<'_>, edge: &Edge) -> IntFormula {
    let Relation::CharAt { s, i, c } = edge.relation else { return NOTHING };
    let (i, c) = (view.int(i), view.int(c));
    IntFormula::and([number(0).le(&i), i.le(&view.len(s)), number(32).le(&c), c.le(&number(126))])
}

/// `indexOf` and `lastIndexOf` of a whole string: not found, or inside.
fn index_of(view: &View<'_>, edge: &Edge) -> IntFormula {
    match Index::of(view, edge) {
        Some(Index { s, t, from: None, i, .. }) => {
            let inside = i.add(&view.len(t)).le(&view.len(s));
            IntFormula::or([i.eq(&minus_one()), IntFormula::and([number(0).le(&i), inside])])
        }
        _ => NOTHING,
    }
}

/// `substring`, up to the end or of so many characters. `[U]`: SMT-LIB's function has a value outside of the
/// string, where Java's throws.
fn substring(view: &View<'_>, edge: &Edge) -> IntFormula {
    let Some(Substring { s, from, to, r }) = Substring::of(view, edge) else { return NOTHING };
    let (length, part) = (view.len(s), view.len(r));
    let inside = match to {
        None => length.eq(&from.add(&part)),
        Some(to) => IntFormula::and([to.le(&length), part.eq(&to.sub(&from))]),
    };
    IntFormula::and([number(0).le(&from), inside])
}

/// What the table does not have: all sound rules for single edges.
fn other(view: &View<'_>, edge: &Edge) -> IntFormula {
    let known = match edge.relation {
        Relation::IndexOf { .. } | Relation::LastIndexOf { .. } => {
            Index::of(view, edge).is_some_and(|index| index.from.is_none())
        }
        Relation::Equal { .. }
        | Relation::StartsWith { .. }
        | Relation::EndsWith { .. }
        | Relation::Contains { .. }
        | Relation::Concat { .. }
        | Relation::CharAt { .. }
        | Relation::Substr { .. }
        | Relation::Trim { .. } => true,
        _ => false,
    };
    if known { NOTHING } else { IntFormula::and(single::RULES.iter().map(|rule| (rule.apply)(view, edge))) }
}

/// A predicate and its opposite of the same two strings.
fn opposed(_: &View<'_>, yes: &Edge, no: &Edge) -> IntFormula {
    IntFormula::Bool(!(yes.positive && !no.positive && yes.relation == no.relation))
}

fn differ(d: &[Char], e: &[Char]) -> bool {
    d != e
}

/// Two different constant prefixes. `[U]`: one may begin with the other.
fn two_prefixes(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    two_ends(view, [first, second], prefix, differ)
}

/// Two different constant suffixes. `[U]`: one may end with the other.
fn two_suffixes(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    two_ends(view, [first, second], suffix, differ)
}

/// A character at the place of a string: it is the string's first one.
fn index_char_at(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Relation::IndexOf { t, .. }, Relation::CharAt { i, c, .. }) = (&first.relation, &second.relation)
    else {
        return NOTHING;
    };
    let Some(index) = Index::of(view, first).filter(|index| index.from.is_none()) else { return NOTHING };
    let head = match view.word(*t) {
        Some(word) => word.first().map(|c| number(i64::from(c.0))),
        None => index.code,
    };
    head.map_or(NOTHING, |head| IntFormula::or([index.i.ne(&view.int(*i)), head.eq(&view.int(*c))]))
}

/// Looked for from a place, a string is not found before its first occurrence. `[U]`: from a later place it
/// may not be found at all.
fn index_index_from(view: &View<'_>, first: &Edge, second: &Edge) -> IntFormula {
    let (Some(whole), Some(later)) = (Index::of(view, first), Index::of(view, second)) else {
        return NOTHING;
    };
    let is_pair = !whole.last && !later.last && whole.from.is_none() && later.from.is_some();
    if is_pair && whole.t == later.t { whole.i.le(&later.i) } else { NOTHING }
}
