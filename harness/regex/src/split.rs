//! Facts about terms, and the words of a term that begin or end in a given way.
//!
//! A non-empty word of `x y` begins where a non-empty word of `x` does, or, when `x` has the empty word,
//! where one of `y` does; the other cases are as direct. So every function here walks the term once, and what
//! it gives has a size linear in the term's, counted repetition untouched. Intersection and complement, which
//! no pattern writes, are treated as terms that may be anything.

use harness_model::{Char, CharSet, Regex};

use crate::node::{concat, union};

/// Whether the empty word is in the language.
pub(crate) fn nullable(term: &Regex) -> bool {
    match term {
        Regex::Empty | Regex::Set(_) => false,
        Regex::Epsilon => true,
        Regex::Concat(parts) | Regex::Inter(parts) => parts.iter().all(nullable),
        Regex::Union(parts) => parts.iter().any(nullable),
        Regex::Complement(inner) => !nullable(inner),
        Regex::Repeat { inner, min, max } => {
            max.is_none_or(|max| max >= *min) && (*min == 0 || nullable(inner))
        }
    }
}

/// The number of characters that every word of the language has, if they all have the same. The empty
/// language has none.
pub(crate) fn fixed_length(term: &Regex) -> Option<u64> {
    match term {
        Regex::Epsilon => Some(0),
        Regex::Set(_) => Some(1),
        Regex::Concat(parts) => parts.iter().try_fold(0u64, |sum, part| sum.checked_add(fixed_length(part)?)),
        Regex::Union(parts) => {
            let first = fixed_length(parts.first()?)?;
            parts.iter().all(|p| fixed_length(p) == Some(first)).then_some(first)
        }
        Regex::Repeat { inner, min, max } if Some(*min) == *max => {
            fixed_length(inner)?.checked_mul(u64::from(*min))
        }
        Regex::Empty | Regex::Inter(_) | Regex::Complement(_) | Regex::Repeat { .. } => None,
    }
}

/// The set that the term is a loop of, if it is nothing else.
#[allow(clippy::wildcard_enum_match_arm, reason = "recognises a loop of one set")]
pub(crate) fn loop_set(term: &Regex) -> Option<&CharSet> {
    match term {
        Regex::Repeat { inner, .. } => match &**inner {
            Regex::Set(set) => Some(set),
            Regex::Concat(parts) => match &**parts {
                [Regex::Set(set)] => Some(set),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The characters that a word of the language may begin with, or more.
pub(crate) fn first(term: &Regex) -> CharSet {
    at(term, End::First)
}

/// The characters that a word of the language may have at `end`, or more.
pub(crate) fn at(term: &Regex, end: End) -> CharSet {
    match term {
        Regex::Empty | Regex::Epsilon => CharSet::empty(),
        Regex::Set(set) => (**set).clone(),
        Regex::Concat(parts) => {
            let mut set = CharSet::empty();
            for i in 0..parts.len() {
                let part = match end {
                    End::First => &parts[i],
                    End::Last => &parts[parts.len() - 1 - i],
                };
                set = set.union(&at(part, end));
                if !nullable(part) {
                    break;
                }
            }
            set
        }
        Regex::Union(parts) => parts.iter().fold(CharSet::empty(), |set, part| set.union(&at(part, end))),
        Regex::Repeat { inner, .. } => at(inner, end),
        Regex::Inter(_) | Regex::Complement(_) => CharSet::full(harness_model::Alphabet::Unicode),
    }
}

/// The end of a word at which to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    First,
    Last,
}

/// The non-empty words of the language whose first or last character is in `set`.
pub(crate) fn with(term: &Regex, end: End, set: &CharSet) -> Regex {
    match term {
        Regex::Empty | Regex::Epsilon => Regex::Empty,
        Regex::Set(own) => {
            let both = own.intersection(set);
            if both == **own { term.clone() } else { some_of(both) }
        }
        Regex::Concat(parts) => sequence(parts, end, set),
        Regex::Union(parts) => {
            union(parts.iter().map(|p| with(p, end, set)).filter(|p| !matches!(p, Regex::Empty)))
        }
        Regex::Repeat { inner, min, max } => {
            if max.is_some_and(|max| max == 0 || max < *min) {
                return Regex::Empty;
            }
            // One round that is not empty, and the others, which may all be empty if the inner one has the
            // empty word.
            let least = if nullable(inner) { 0 } else { min.saturating_sub(1) };
            let others = rounds(inner, least, max.map(|max| max - 1));
            ordered(with(inner, end, set), others, end)
        }
        Regex::Inter(_) | Regex::Complement(_) => Regex::Inter([term.clone(), any_with(end, set)].into()),
    }
}

/// The words of one character in the language.
pub(crate) fn singles(term: &Regex) -> CharSet {
    match term {
        Regex::Empty | Regex::Epsilon | Regex::Inter(_) | Regex::Complement(_) => CharSet::empty(),
        Regex::Set(set) => (**set).clone(),
        Regex::Concat(parts) => {
            let others_nullable = |i: usize| parts.iter().enumerate().all(|(j, p)| i == j || nullable(p));
            parts
                .iter()
                .enumerate()
                .filter(|&(i, _)| others_nullable(i))
                .fold(CharSet::empty(), |set, (_, part)| set.union(&singles(part)))
        }
        Regex::Union(parts) => parts.iter().fold(CharSet::empty(), |set, part| set.union(&singles(part))),
        Regex::Repeat { inner, min, max } => {
            let possible = max.is_none_or(|max| max >= 1 && max >= *min) && (*min <= 1 || nullable(inner));
            if possible { singles(inner) } else { CharSet::empty() }
        }
    }
}

/// Whether the short word `word` is in the language.
pub(crate) fn contains(term: &Regex, word: &[Char]) -> bool {
    match word {
        [] => nullable(term),
        [c] => singles(term).contains(*c),
        [c, rest @ ..] => {
            // Only line breaks of two characters are asked for.
            let [last] = rest else { return false };
            pairs(term, *c, *last)
        }
    }
}

/// Whether the word of these two characters is in the language.
fn pairs(term: &Regex, a: Char, b: Char) -> bool {
    match term {
        Regex::Concat(parts) => (0..=parts.len()).any(|cut| {
            let (left, right) = parts.split_at(cut);
            let all_null = |parts: &[Regex]| parts.iter().all(nullable);
            // Both in one part, or one in each of two.
            (cut < parts.len() && all_null(left) && all_null(&right[1..]) && pairs(&right[0], a, b))
                || (0..left.len()).any(|i| {
                    right.iter().enumerate().any(|(j, second)| {
                        singles(&left[i]).contains(a)
                            && singles(second).contains(b)
                            && all_null(&left[..i])
                            && all_null(&left[i + 1..])
                            && all_null(&right[..j])
                            && all_null(&right[j + 1..])
                    })
                })
        }),
        Regex::Union(parts) => parts.iter().any(|p| pairs(p, a, b)),
        Regex::Repeat { inner, min, max } => {
            let allows = |rounds: u32| {
                max.is_none_or(|max| max >= rounds && max >= *min) && (*min <= rounds || nullable(inner))
            };
            let single = singles(inner);
            (allows(1) && pairs(inner, a, b)) || (allows(2) && single.contains(a) && single.contains(b))
        }
        Regex::Empty | Regex::Epsilon | Regex::Set(_) | Regex::Inter(_) | Regex::Complement(_) => false,
    }
}

fn sequence(parts: &[Regex], end: End, set: &CharSet) -> Regex {
    let mut cases = Vec::new();
    let order: Vec<usize> = match end {
        End::First => (0..parts.len()).collect(),
        End::Last => (0..parts.len()).rev().collect(),
    };
    for i in order {
        let own = with(&parts[i], end, set);
        if !matches!(own, Regex::Empty) {
            // What lies beyond this part is empty, which it can be: else the loop would have ended.
            let rest = match end {
                End::First => concat(std::iter::once(own).chain(parts[i + 1..].iter().cloned())),
                End::Last => concat(parts[..i].iter().cloned().chain([own])),
            };
            cases.push(rest);
        }
        if !nullable(&parts[i]) {
            break;
        }
    }
    union(cases)
}

fn rounds(inner: &Regex, min: u32, max: Option<u32>) -> Regex {
    match max {
        Some(0) => Regex::Epsilon,
        _ => inner.clone().repeat(min, max),
    }
}

fn ordered(own: Regex, others: Regex, end: End) -> Regex {
    if matches!(own, Regex::Empty) {
        return own;
    }
    match end {
        End::First => concat([own, others]),
        End::Last => concat([others, own]),
    }
}

fn some_of(set: CharSet) -> Regex {
    if set.is_empty() { Regex::Empty } else { Regex::set(set) }
}

fn any_with(end: End, set: &CharSet) -> Regex {
    let any = Regex::set(CharSet::full(harness_model::Alphabet::Unicode)).star();
    ordered(some_of(set.clone()), any, end)
}
