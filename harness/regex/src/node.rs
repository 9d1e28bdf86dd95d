//! What the parser builds: terms, with the assertions and atomic groups that are still to be resolved.
//!
//! Invariant: a node that holds no assertion and no atomic group is [`Node::Plain`], so patterns without
//! them, which is nearly all, are terms at once. The shape follows the parse tree of .NET, whose sizes of
//! automata figure 3.7 of the representation study lists: concatenations are flat, neighbouring alternatives
//! that are single characters or classes are one set, `{1}` leaves no trace, and a quantified capturing group
//! around one set keeps its group as a concatenation of one.

use harness_model::{CharSet, Regex};

use crate::look::Look;

/// A piece of a pattern.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// A term.
    Plain(Regex),
    /// A condition on a position, and its place in the pattern.
    Look(Look, usize),
    /// A part that, once matched, is not tried otherwise, and its place in the pattern.
    Atomic(Regex, usize),
    /// One after the other.
    Concat(Vec<Node>),
    /// Any of them.
    Union(Vec<Node>),
    /// Repetition, and its place in the pattern.
    Repeat { inner: Box<Node>, min: u32, max: Option<u32>, at: usize },
}

impl Node {
    /// One after the other, flat.
    pub(crate) fn concat(parts: Vec<Self>) -> Self {
        let plain = parts.iter().all(|p| matches!(p, Self::Plain(_)));
        if !plain {
            let mut flat = Vec::with_capacity(parts.len());
            for part in parts {
                match part {
                    Self::Concat(inner) => flat.extend(inner),
                    other => flat.push(other),
                }
            }
            return Self::Concat(flat);
        }
        Self::Plain(concat(parts.into_iter().filter_map(|p| match p {
            Self::Plain(term) => Some(term),
            _ => None,
        })))
    }

    /// Any of them; neighbours that are single sets are one set.
    pub(crate) fn union(mut parts: Vec<Self>) -> Self {
        if parts.len() == 1 {
            return parts.swap_remove(0);
        }
        let plain = parts.iter().all(|p| matches!(p, Self::Plain(_)));
        if !plain {
            return Self::Union(parts);
        }
        Self::Plain(union(parts.into_iter().filter_map(|p| match p {
            Self::Plain(term) => Some(term),
            _ => None,
        })))
    }

    /// From `min` to `max` times; `at` is where the quantifier stands.
    pub(crate) fn repeat(self, min: u32, max: Option<u32>, at: usize) -> Self {
        match self {
            node if (min, max) == (1, Some(1)) => node,
            Self::Plain(term) => Self::Plain(term.repeat(min, max)),
            node => Self::Repeat { inner: Box::new(node), min, max, at },
        }
    }
}

/// One after the other, flat; one part is itself, none the empty word.
#[allow(clippy::wildcard_enum_match_arm, reason = "whatever is no concatenation stays a part of its own")]
pub(crate) fn concat(parts: impl IntoIterator<Item = Regex>) -> Regex {
    let mut flat: Vec<Regex> = Vec::new();
    for part in parts {
        match part {
            Regex::Concat(inner) => flat.extend(inner.iter().cloned()),
            Regex::Epsilon => {}
            other => flat.push(other),
        }
    }
    match flat.len() {
        0 => Regex::Epsilon,
        1 => flat.swap_remove(0),
        _ => Regex::concat(flat),
    }
}

/// Any of them; neighbours that are single sets are one set, one alternative is itself, none the empty
/// language.
#[allow(clippy::wildcard_enum_match_arm, reason = "whatever is no set stays an alternative of its own")]
pub(crate) fn union(parts: impl IntoIterator<Item = Regex>) -> Regex {
    let mut merged: Vec<Regex> = Vec::new();
    for part in parts {
        match (merged.last_mut(), part) {
            (Some(Regex::Set(last)), Regex::Set(set)) => *last = merge(last, &set).into(),
            (_, part) => merged.push(part),
        }
    }
    match merged.len() {
        0 => Regex::Empty,
        1 => merged.swap_remove(0),
        _ => Regex::union(merged),
    }
}

/// The union of two sets, in time linear in their ranges.
pub(crate) fn merge(a: &CharSet, b: &CharSet) -> CharSet {
    let (mut i, mut j) = (0, 0);
    let (a, b) = (a.ranges(), b.ranges());
    let mut sorted = Vec::with_capacity(a.len() + b.len());
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        if x.0 <= y.0 {
            sorted.push(*x);
            i += 1;
        } else {
            sorted.push(*y);
            j += 1;
        }
    }
    sorted.extend_from_slice(&a[i..]);
    sorted.extend_from_slice(&b[j..]);
    // Sorted already, which makes this linear.
    CharSet::from_ranges(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Regex {
        Regex::set(CharSet::from_ranges(text.chars().map(|c| (u32::from(c), u32::from(c)))))
    }

    #[test]
    fn neighbouring_sets_are_one() {
        let long = Regex::concat([set("x"), set("y")]);
        let merged = union([set("a"), set("b"), long.clone(), set("c")]);
        assert_eq!(merged, Regex::union([set("ab"), long, set("c")]));
        assert_eq!(union([set("a"), set("c"), set("b")]), set("abc"));
    }

    #[test]
    fn concatenations_are_flat() {
        let inner = concat([set("a"), set("b")]);
        assert_eq!(concat([inner, Regex::Epsilon, set("c")]), Regex::concat([set("a"), set("b"), set("c")]));
        assert_eq!(concat([]), Regex::Epsilon);
        assert_eq!(concat([set("a")]), set("a"));
    }

    #[test]
    fn merging_agrees_with_union() {
        let a = CharSet::from_ranges([(1, 5), (9, 9), (20, 30)]);
        let b = CharSet::from_ranges([(6, 8), (25, 40)]);
        assert_eq!(merge(&a, &b), a.union(&b));
    }
}
