//! Whether values satisfy a graph, from the documentation of `java.lang.String`, on slices of code points.
//!
//! Shares nothing with the evaluator of `harness-check`: a test lets each check the other.

use super::graph::{Edge, Graph, Number, Side, Text};
use super::kind::Kind;

/// Values for a graph's variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// The code points of each string variable.
    pub strings: Vec<Vec<u32>>,
    /// The value of each integer variable.
    pub ints: Vec<i64>,
}

/// A position inside `s` or at its end, that is nearest to `at`.
fn cut(at: i64, s: &[u32]) -> usize {
    usize::try_from(at.max(0)).unwrap_or(usize::MAX).min(s.len())
}

/// A number as Java's methods return it.
fn found(at: Option<usize>) -> i64 {
    at.and_then(|at| i64::try_from(at).ok()).unwrap_or(-1)
}

/// The first position at or after `from`, which is cut to be inside, at which `t` occurs in `s`.
fn index_of(s: &[u32], t: &[u32], from: i64) -> i64 {
    found((cut(from, s)..=s.len()).find(|&at| s[at..].starts_with(t)))
}

/// The last position at or before `from` at which `t` occurs in `s`.
fn last_index_of(s: &[u32], t: &[u32], from: i64) -> i64 {
    if from < 0 {
        return -1;
    }
    found((0..=cut(from, s)).rev().find(|&at| s[at..].starts_with(t)))
}

/// The part of `s` from `from` up to `to`, exclusive; none where Java throws.
fn substring(s: &[u32], from: i64, to: i64) -> Option<&[u32]> {
    s.get(usize::try_from(from).ok()?..usize::try_from(to).ok()?)
}

fn trim(s: &[u32]) -> &[u32] {
    let mut rest = s;
    while let [first, tail @ ..] = rest
        && *first <= 32
    {
        rest = tail;
    }
    while let [front @ .., last] = rest
        && *last <= 32
    {
        rest = front;
    }
    rest
}

impl Graph {
    /// Whether `values` satisfy the bounds, the edges and the conditions beside them. Code points up to `max`
    /// are characters.
    pub fn holds(&self, values: &Values, max: u32) -> bool {
        let bounded = values.strings.iter().all(|s| {
            let length = u32::try_from(s.len()).unwrap_or(u32::MAX);
            (self.min_length..=self.max_length).contains(&length)
                && s.iter().all(|&c| self.characters.contains(harness_model::Char(c)))
        });
        let within = self.ints.iter().zip(&values.ints).all(|(var, v)| (var.low..=var.high).contains(v));
        let string = |t: &Text| match t {
            Text::Var(v) => values.strings[*v].clone(),
            Text::Const(text) => text.chars().iter().map(|c| c.0).collect(),
        };
        let number = |n: &Number| match n {
            Number::Var(v) => values.ints[*v],
            Number::Const(value) => *value,
        };
        let side = |side: &Side| match side {
            Side::Within(n, low, high) => (*low..=*high).contains(&number(n)),
            Side::NoShorter(a, b) => string(a).len() >= string(b).len(),
        };
        let edge = |edge: &Edge| {
            let strings: Vec<Vec<u32>> = edge.strings.iter().map(string).collect();
            let ints: Vec<i64> = edge.ints.iter().map(number).collect();
            edge_holds(edge.kind, &strings, &ints, max)
        };
        bounded && within && self.edges.iter().all(edge) && self.sides.iter().all(side)
    }
}

fn edge_holds(kind: Kind, strings: &[Vec<u32>], ints: &[i64], max: u32) -> bool {
    let s = strings[0].as_slice();
    let t = strings.get(1).map_or(&[] as &[u32], Vec::as_slice);
    let i = |n: usize| ints[n];
    // The word of one character that a code is; what is no character does not occur anywhere.
    let word = |code: i64| u32::try_from(code).ok().filter(|&c| c <= max).map(|c| [c]);
    let end = i64::try_from(s.len()).unwrap_or(i64::MAX);
    match kind {
        Kind::CharAt => {
            let at = usize::try_from(i(0)).ok().and_then(|at| s.get(at));
            at.is_some_and(|&c| i64::from(c) == i(1))
        }
        Kind::Concat => [s, t].concat() == strings[2],
        Kind::Contains => index_of(s, t, 0) >= 0,
        Kind::NotContains => index_of(s, t, 0) < 0,
        Kind::EndsWith => s.ends_with(t),
        Kind::NotEndsWith => !s.ends_with(t),
        Kind::StartsWith => s.starts_with(t),
        Kind::NotStartsWith => !s.starts_with(t),
        Kind::Equals => s == t,
        Kind::NotEquals => s != t,
        Kind::IndexOf => index_of(s, t, 0) == i(0),
        Kind::IndexOfFrom => index_of(s, t, i(0)) == i(1),
        Kind::IndexOfChar => word(i(0)).map_or(-1, |w| index_of(s, &w, 0)) == i(1),
        Kind::IndexOfCharFrom => word(i(0)).map_or(-1, |w| index_of(s, &w, i(1))) == i(2),
        Kind::LastIndexOf => last_index_of(s, t, end) == i(0),
        Kind::LastIndexOfFrom => last_index_of(s, t, i(0)) == i(1),
        Kind::LastIndexOfChar => word(i(0)).map_or(-1, |w| last_index_of(s, &w, end)) == i(1),
        Kind::LastIndexOfCharFrom => word(i(0)).map_or(-1, |w| last_index_of(s, &w, i(1))) == i(2),
        Kind::ReplaceChar => match (word(i(0)), word(i(1))) {
            (Some([old]), Some([new])) => {
                s.iter().map(|&c| if c == old { new } else { c }).collect::<Vec<_>>() == t
            }
            _ => false,
        },
        Kind::Substring => substring(s, i(0), end) == Some(t),
        Kind::SubstringTo => substring(s, i(0), i(1)) == Some(t),
        Kind::Trim => trim(s) == t,
    }
}
