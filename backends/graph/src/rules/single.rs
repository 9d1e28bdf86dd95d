//! Sound rules for single edges: table 3.1 of the study, corrected and completed.
//!
//! Corrections: lengths may be zero; `charAt` needs the index below the length, not up to it; `substring(n,
//! k)` ends at `k` and has `k - n` characters, which here is `substr` with the count that the reader of
//! Java's operations subtracts.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a rule concludes something from the relations that it names and nothing from others"
)]

use harness_model::Regex;
use harness_model::int::Int;

use super::EdgeRule;
use super::view::View;
use crate::edge::{Edge, Relation};
use crate::formula::IntFormula;
use crate::linear::Sum;

/// The table.
pub const RULES: &[EdgeRule] = &[
    EdgeRule { name: "rule_length_part", apply: part },
    EdgeRule { name: "rule_length_not_part", apply: not_part },
    EdgeRule { name: "rule_length_unequal", apply: unequal },
    EdgeRule { name: super::parts::PROPER_PART, apply: super::parts::proper_part },
    EdgeRule { name: "rule_length_order", apply: order },
    EdgeRule { name: "rule_length_language", apply: language },
    EdgeRule { name: "rule_length_digit", apply: digit },
    EdgeRule { name: "rule_length_concat", apply: concat },
    EdgeRule { name: "rule_char_at", apply: char_at },
    EdgeRule { name: "rule_length_at", apply: at },
    EdgeRule { name: "rule_length_substr", apply: substr },
    EdgeRule { name: "rule_index_of", apply: index_of },
    EdgeRule { name: "rule_last_index_of", apply: last_index_of },
    EdgeRule { name: "rule_length_trim", apply: trim },
    EdgeRule { name: "rule_length_replace", apply: replace },
    EdgeRule { name: "rule_length_replace_all", apply: replace_all },
    EdgeRule { name: "rule_length_replace_re", apply: replace_re },
    EdgeRule { name: "rule_length_case", apply: case },
    EdgeRule { name: "rule_to_code", apply: to_code },
    EdgeRule { name: "rule_from_code", apply: from_code },
    EdgeRule { name: "rule_to_int", apply: to_int },
    EdgeRule { name: "rule_from_int", apply: from_int },
    EdgeRule { name: "rule_compare_to", apply: compare_to },
];

const NOTHING: IntFormula = IntFormula::Bool(true);

fn number(value: i64) -> Sum {
    Sum::from(value)
}

fn zero() -> Sum {
    number(0)
}

fn one() -> Sum {
    number(1)
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

/// A part is no longer than the whole: its characters stand in it at different places.
pub(super) fn part(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::StartsWith { s, t } | Relation::EndsWith { s, t } | Relation::Contains { s, t }
            if edge.positive =>
        {
            view.len(t).le(&view.len(s))
        }
        _ => NOTHING,
    }
}

/// The empty word is a prefix, a suffix and a part of every word, so what is not one is not empty.
fn not_part(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::StartsWith { t, .. } | Relation::EndsWith { t, .. } | Relation::Contains { t, .. }
            if !edge.positive =>
        {
            one().le(&view.len(t))
        }
        _ => NOTHING,
    }
}

/// There is one empty word, so of two words that differ one is not empty.
fn unequal(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::Equal { a, b } if !edge.positive => one().le(&view.len(a).add(&view.len(b))),
        _ => NOTHING,
    }
}

/// The empty word is the least: what has a word before it is not empty, and what is not after the empty word
/// is empty.
fn order(view: &View<'_>, edge: &Edge) -> IntFormula {
    // Which word is before which, strictly or not; the order is total.
    let (low, high, strict) = match (&edge.relation, edge.positive) {
        (Relation::Less { s, t }, true) => (*s, *t, true),
        (Relation::Less { s, t }, false) => (*t, *s, false),
        (Relation::LessEqual { s, t }, true) => (*s, *t, false),
        (Relation::LessEqual { s, t }, false) => (*t, *s, true),
        _ => return NOTHING,
    };
    let not_empty = one().le(&view.len(high));
    if strict { not_empty } else { or([view.len(low).eq(&zero()), not_empty]) }
}

/// The words of an expression are at least as long as its least and at most as long as its greatest length.
/// By induction: lengths of concatenations add up, those of a union lie in the hull of the parts', those of
/// an intersection in all of the parts'; of a complement nothing is said.
fn language(view: &View<'_>, edge: &Edge) -> IntFormula {
    let Relation::InRe { s, ref regex } = edge.relation else { return NOTHING };
    if !edge.positive {
        return NOTHING;
    }
    match lengths(regex) {
        None => IntFormula::Bool(false),
        Some((low, high)) => {
            let length = view.len(s);
            let above = Sum::from(Int::from(i64::try_from(low).unwrap_or(i64::MAX))).le(&length);
            let below = high
                .and_then(|high| i64::try_from(high).ok())
                .map_or(NOTHING, |high| length.le(&number(high)));
            and([above, below])
        }
    }
}

/// The least and the greatest length of a word of the expression, or bounds of them; `None` for an empty
/// language. The greatest is `None` where there may be none. Recursion is as deep as the expression, so deep
/// ones are cut off: no bound.
pub fn lengths(regex: &Regex) -> Option<(u64, Option<u64>)> {
    fn go(regex: &Regex, depth: u32) -> Option<(u64, Option<u64>)> {
        if depth == 0 {
            return Some((0, None));
        }
        let go = |r: &Regex| go(r, depth - 1);
        match regex {
            Regex::Empty => None,
            Regex::Epsilon => Some((0, Some(0))),
            Regex::Set(set) => (!set.is_empty()).then_some((1, Some(1))),
            Regex::Concat(parts) => {
                parts.iter().try_fold((0, Some(0)), |(low, high): (u64, Option<u64>), part| {
                    let (l, h) = go(part)?;
                    Some((low.saturating_add(l), high.zip(h).and_then(|(a, b)| a.checked_add(b))))
                })
            }
            Regex::Union(parts) => parts
                .iter()
                .filter_map(go)
                .reduce(|(al, ah), (bl, bh)| (al.min(bl), ah.zip(bh).map(|(a, b)| a.max(b)))),
            Regex::Inter(parts) => {
                let (low, high) =
                    parts.iter().try_fold((0, None), |(low, high): (u64, Option<u64>), part| {
                        let (l, h) = go(part)?;
                        let least = match (high, h) {
                            (Some(a), Some(b)) => Some(a.min(b)),
                            (a, b) => a.or(b),
                        };
                        Some((low.max(l), least))
                    })?;
                high.is_none_or(|high| low <= high).then_some((low, high))
            }
            Regex::Complement(_) => Some((0, None)),
            Regex::Repeat { inner, min, max } => {
                if max.is_some_and(|max| max < *min) {
                    return None;
                }
                match go(inner) {
                    None => (*min == 0).then_some((0, Some(0))),
                    Some((low, high)) => {
                        let greatest = match (high, max) {
                            (Some(0), _) => Some(0),
                            (Some(high), Some(max)) => high.checked_mul(u64::from(*max)),
                            (None, Some(0)) => Some(0),
                            _ => None,
                        };
                        Some((low.saturating_mul(u64::from(*min)), greatest))
                    }
                }
            }
        }
    }
    go(regex, 400)
}

/// A digit is one character.
fn digit(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::IsDigit { s } if edge.positive => view.len(s).eq(&one()),
        _ => NOTHING,
    }
}

/// The characters of both parts, one after the other, are those of the whole.
pub(super) fn concat(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::Concat { a, b, r } => view.len(a).add(&view.len(b)).eq(&view.len(r)),
        _ => NOTHING,
    }
}

/// The index is inside by definition, and the value is the code of a character of the string.
fn char_at(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::CharAt { s, i, c } => {
            let (i, c) = (view.int(i), view.int(c));
            let characters = view.graph().characters().ranges();
            let (low, high) = match (view.word(s), characters.first(), characters.last()) {
                (None, Some((low, _)), Some((_, high))) => {
                    (number(i64::from(*low)), number(i64::from(*high)))
                }
                _ => (zero(), view.max_code()),
            };
            and([zero().le(&i), i.lt(&view.len(s)), low.le(&c), c.le(&high)])
        }
        _ => NOTHING,
    }
}

/// One character inside, none outside: the definition of `str.at`.
fn at(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::At { s, i, r } => {
            let (i, length, r) = (view.int(i), view.len(s), view.len(r));
            let inside = and([zero().le(&i), i.lt(&length)]);
            let outside = inside.negate();
            or([and([inside, r.eq(&one())]), and([outside, r.eq(&zero())])])
        }
        _ => NOTHING,
    }
}

/// The definition of `str.substr`: as many characters as asked for, or as there are, or none. The three cases
/// are all.
fn substr(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::Substr { s, from, count, r } => {
            let (from, count, length, r) = (view.int(from), view.int(count), view.len(s), view.len(r));
            let inside = and([zero().le(&from), from.lt(&length), one().le(&count)]);
            let outside = inside.negate();
            let rest = length.sub(&from);
            or([
                and([inside.clone(), count.le(&rest), r.eq(&count)]),
                and([inside, rest.lt(&count), r.eq(&rest)]),
                and([outside, r.eq(&zero())]),
            ])
        }
        _ => NOTHING,
    }
}

/// Where the result is not -1, it is an occurrence at or after `from`, which is then not negative; an
/// occurrence ends inside the string. The empty word occurs at `from` itself, wherever `from` is a position.
fn index_of(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::IndexOf { s, t, from, i } => {
            let (from, i, length, t) = (view.int(from), view.int(i), view.len(s), view.len(t));
            let found = and([zero().le(&from), from.le(&i), i.add(&t).le(&length)]);
            let empty_is_found = or([one().le(&t), from.lt(&zero()), length.lt(&from), i.eq(&from)]);
            and([or([i.eq(&minus_one()), found]), empty_is_found])
        }
        _ => NOTHING,
    }
}

/// Where the result is not -1, it is an occurrence at or before `from`. The empty word occurs everywhere,
/// last at `from` or at the end.
fn last_index_of(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::LastIndexOf { s, t, from, i } => {
            let (from, i, length, t) = (view.int(from), view.int(i), view.len(s), view.len(t));
            let found = and([zero().le(&i), i.le(&from), i.add(&t).le(&length)]);
            let empty_is_found = or([
                one().le(&t),
                from.lt(&zero()),
                and([from.le(&length), i.eq(&from)]),
                and([length.le(&from), i.eq(&length)]),
            ]);
            and([or([i.eq(&minus_one()), found]), empty_is_found])
        }
        _ => NOTHING,
    }
}

/// Trimming takes characters away and adds none.
pub(super) fn trim(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::Trim { s, r } => view.len(r).le(&view.len(s)),
        _ => NOTHING,
    }
}

/// Without an occurrence nothing changes; with one, `|t|` characters go and `|by|` come. The empty word
/// occurs always.
fn replace(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::Replace { s, t, by, r } => {
            let (s, t, by, r) = (view.len(s), view.len(t), view.len(by), view.len(r));
            let changed = r.eq(&s.sub(&t).add(&by));
            and([or([r.eq(&s), and([t.le(&s), changed.clone()])]), or([one().le(&t), changed])])
        }
        _ => NOTHING,
    }
}

/// Every replacement changes the length by `|by| - |t|`, so all of them together do not shorten where that is
/// not negative, and do not lengthen where it is not positive. Nothing is replaced where `t` is empty or
/// longer than `s`.
fn replace_all(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::ReplaceAll { s, t, by, r } => {
            let (s, t, by, r) = (view.len(s), view.len(t), view.len(by), view.len(r));
            let unchanged = r.eq(&s);
            and([
                or([by.lt(&t), s.le(&r)]),
                or([t.lt(&by), r.le(&s)]),
                or([and([one().le(&t), t.le(&s)]), unchanged]),
            ])
        }
        _ => NOTHING,
    }
}

/// One replacement takes away at most all and adds `|by|`; without a match nothing changes. For all matches:
/// each takes at least one character away, so the empty word stays, and an empty `by` adds nothing.
fn replace_re(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::ReplaceRe { s, by, r, .. } => {
            let (s, by, r) = (view.len(s), view.len(by), view.len(r));
            or([r.eq(&s), and([by.le(&r), r.le(&s.add(&by))])])
        }
        Relation::ReplaceReAll { s, by, r, .. } => {
            let (s, by, r) = (view.len(s), view.len(by), view.len(r));
            and([or([one().le(&s), r.eq(&zero())]), or([one().le(&by), r.le(&s)])])
        }
        _ => NOTHING,
    }
}

/// Letters are mapped one by one.
fn case(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::ToLower { s, r } | Relation::ToUpper { s, r } => view.len(r).eq(&view.len(s)),
        _ => NOTHING,
    }
}

/// The definition of `str.to_code`: a code for one character, else -1.
fn to_code(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::ToCode { s, c } => {
            let (length, c) = (view.len(s), view.int(c));
            or([
                and([length.eq(&one()), zero().le(&c), c.le(&view.max_code())]),
                and([length.ne(&one()), c.eq(&minus_one())]),
            ])
        }
        _ => NOTHING,
    }
}

/// The definition of `str.from_code`: one character for a code of the alphabet, else none.
fn from_code(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::FromCode { c, r } => {
            let (c, r) = (view.int(c), view.len(r));
            let inside = and([zero().le(&c), c.le(&view.max_code())]);
            let outside = inside.negate();
            or([and([inside, r.eq(&one())]), and([outside, r.eq(&zero())])])
        }
        _ => NOTHING,
    }
}

/// Powers of ten up to which the length of a number is compared with its value.
const POWERS: u32 = 10;

/// The value is -1 or what digits write: n digits write less than 10^n, and the empty word none.
fn to_int(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::ToInt { s, i } => {
            let (length, i) = (view.len(s), view.int(i));
            let digits =
                (0..POWERS).map(|k| or([i.lt(&number(10_i64.pow(k))), number(i64::from(k) + 1).le(&length)]));
            let empty = or([one().le(&length), i.eq(&minus_one())]);
            and(digits.chain([minus_one().le(&i), empty]))
        }
        _ => NOTHING,
    }
}

/// A number has k+1 digits or more exactly when it is 10^k or more; a negative one is written as the empty
/// word.
fn from_int(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::FromInt { i, r } => {
            let (length, i) = (view.len(r), view.int(i));
            let negative =
                or([and([i.lt(&zero()), length.eq(&zero())]), and([zero().le(&i), one().le(&length)])]);
            let digits = (1..POWERS).map(|k| {
                let (value, long) = (number(10_i64.pow(k)).le(&i), number(i64::from(k) + 1).le(&length));
                or([and([value.clone(), long.clone()]), and([value.negate(), long.negate()])])
            });
            and(digits.chain([negative]))
        }
        _ => NOTHING,
    }
}

/// Words that compare as 0 are equal. With an empty word the result is the difference of the lengths; else it
/// is that or the difference of two codes.
fn compare_to(view: &View<'_>, edge: &Edge) -> IntFormula {
    match edge.relation {
        Relation::CompareTo { s, t, i } => {
            let (s, t, i, most) = (view.len(s), view.len(t), view.int(i), view.max_code());
            let by_length = i.eq(&s.sub(&t));
            let codes = and([zero().sub(&most).le(&i), i.le(&most)]);
            and([
                or([i.ne(&zero()), s.eq(&t)]),
                or([and([one().le(&s), one().le(&t)]), by_length.clone()]),
                or([by_length, codes]),
            ])
        }
        _ => NOTHING,
    }
}
