//! Rules from numbers to strings: what is known of integers as languages of strings. Each is described in
//! [`super::RULES`].

use backends_graph::{Edge, Relation, StringVertex};
use harness_model::{Char, CharSet, Regex, SmtString};

use crate::bounds::Range;
use crate::decimal;
use crate::facts::{Facts, Parsed};

/// Lengths and places beyond this are not spelled out: an automaton would have a state for each.
const MAX_PLACES: i64 = 256;

fn any(facts: &Facts<'_>) -> Regex {
    Regex::set(CharSet::full(facts.graph().alphabet()))
}

/// From `low` to `high` characters of a set; bounds that are too far are left out.
fn between(letter: Regex, range: Range) -> Regex {
    let count = |n: i64| u32::try_from(n.clamp(0, MAX_PLACES)).unwrap_or(0);
    let high = range.high().filter(|high| *high <= MAX_PLACES);
    letter.repeat(range.low().map_or(0, count), high.map(count))
}

pub(super) fn length(facts: &Facts<'_>, s: StringVertex) -> Option<Regex> {
    let range = facts.length(s);
    let told = range.low().is_some_and(|low| low > 0) || range.high().is_some_and(|high| high <= MAX_PLACES);
    told.then(|| between(any(facts), range))
}

/// `s` with the constant `word` at a place in the range, which is not negative, with `before` around the
/// characters before it and `after` around those after it.
fn at_place(word: &[Char], range: Range, before: Regex, after: Regex) -> Regex {
    let word: SmtString = word.iter().copied().collect();
    Regex::concat([between(before, range), Regex::literal(&word), after.star()])
}

/// The characters other than the only one of `word`; all where it has not just one.
fn others(facts: &Facts<'_>, word: &[Char]) -> Regex {
    match word {
        [c] => Regex::set(CharSet::single(*c).complement(facts.graph().alphabet())),
        _ => any(facts),
    }
}

fn nowhere(facts: &Facts<'_>, word: &[Char]) -> Regex {
    let word: SmtString = word.iter().copied().collect();
    let around = || any(facts).star();
    Regex::Complement(std::sync::Arc::new(Regex::concat([around(), Regex::literal(&word), around()])))
}

pub(super) fn last_index_of(facts: &Facts<'_>, edge: &Edge) -> Vec<(StringVertex, Regex)> {
    let Relation::LastIndexOf { s, t, from, i } = edge.relation else { return Vec::new() };
    let Some(word) = facts.view.word(t) else { return Vec::new() };
    let range = facts.range(i);
    // Whether the search begins at the end, or behind it.
    let whole = facts.bounds.sum(&facts.view.int(from).sub(&facts.view.len(s))).low().is_some_and(|d| d >= 0);
    if range.low().is_some_and(|low| low >= 0) {
        let after = if whole { others(facts, word) } else { any(facts) };
        return vec![(s, at_place(word, range, any(facts), after))];
    }
    if range.high().is_some_and(|high| high < 0) && whole {
        return vec![(s, nowhere(facts, word))];
    }
    Vec::new()
}

pub(super) fn index_of(facts: &Facts<'_>, edge: &Edge) -> Vec<(StringVertex, Regex)> {
    let Relation::IndexOf { s, t, from, i } = edge.relation else { return Vec::new() };
    let Some(word) = facts.view.word(t) else { return Vec::new() };
    let (range, start) = (facts.range(i), facts.range(from).only() == Some(0));
    if range.low().is_some_and(|low| low >= 0) {
        let before = if start { others(facts, word) } else { any(facts) };
        return vec![(s, at_place(word, range, before, any(facts)))];
    }
    if range.high().is_some_and(|high| high < 0) && start {
        return vec![(s, nowhere(facts, word))];
    }
    Vec::new()
}

pub(super) fn char_at(facts: &Facts<'_>, edge: &Edge) -> Vec<(StringVertex, Regex)> {
    let Relation::CharAt { s, i, c } = edge.relation else { return Vec::new() };
    let (place, code, max) = (facts.range(i), facts.range(c), facts.graph().alphabet().max());
    let Some(at) = place.only().filter(|at| (0..=MAX_PLACES).contains(at)) else { return Vec::new() };
    let end = |value: Option<i64>, otherwise: u32| match value {
        None => Some(otherwise),
        Some(value) => u32::try_from(value.max(0)).ok().map(|value| value.min(max.0)),
    };
    let (Some(low), Some(high)) = (end(code.low(), 0), end(code.high(), max.0)) else { return Vec::new() };
    if low > high || (low == 0 && high == max.0) {
        return Vec::new();
    }
    let letter = Regex::set(CharSet::range(Char(low), Char(high)));
    let at = u32::try_from(at).unwrap_or(0);
    let before = any(facts).repeat(at, Some(at));
    vec![(s, Regex::concat([before, letter, any(facts).star()]))]
}

pub(super) fn from_int(facts: &Facts<'_>, edge: &Edge) -> Vec<(StringVertex, Regex)> {
    let Relation::FromInt { i, r } = edge.relation else { return Vec::new() };
    let range = facts.range(i);
    if range.high().is_some_and(|high| high < 0) {
        return vec![(r, Regex::Epsilon)];
    }
    let low = range.low().filter(|low| *low >= 0);
    let digits = decimal::canonical(low.unwrap_or(0), range.high());
    vec![(r, if low.is_some() { digits } else { Regex::union([Regex::Epsilon, digits]) })]
}

pub(super) fn to_int(facts: &Facts<'_>, edge: &Edge) -> Vec<(StringVertex, Regex)> {
    let Relation::ToInt { s, i } = edge.relation else { return Vec::new() };
    let range = facts.range(i);
    if let Some(low) = range.low().filter(|low| *low >= 0) {
        return vec![(s, decimal::unsigned(low, range.high()))];
    }
    if range.high().is_some_and(|high| high < 0) {
        let digits = decimal::canonical(0, None);
        return vec![(s, Regex::Complement(std::sync::Arc::new(digits)))];
    }
    Vec::new()
}

fn value(facts: &Facts<'_>, parsed: &Parsed) -> Range {
    facts.bounds.sum(&parsed.value)
}

pub(super) fn known(facts: &Facts<'_>, parsed: &Parsed) -> Option<Regex> {
    let number = value(facts, parsed).only()?;
    Some(decimal::signed(Some(number), Some(number)))
}

pub(super) fn negative(facts: &Facts<'_>, parsed: &Parsed) -> Option<Regex> {
    let range = value(facts, parsed);
    let told = range.only().is_none() && range.high().is_some_and(|high| high < 0);
    told.then(|| decimal::signed(range.low(), range.high()))
}

pub(super) fn positive(facts: &Facts<'_>, parsed: &Parsed) -> Option<Regex> {
    let range = value(facts, parsed);
    let told = range.only().is_none() && range.low().is_some_and(|low| low > 0);
    told.then(|| decimal::signed(range.low(), range.high()))
}

pub(super) fn below(facts: &Facts<'_>, parsed: &Parsed) -> Option<Regex> {
    let range = value(facts, parsed);
    let negative = range.high().is_some_and(|high| high < 0);
    let positive = range.low().is_some_and(|low| low > 0);
    let told = range.only().is_none() && !negative && !positive && range.high().is_some();
    told.then(|| decimal::signed(range.low(), range.high()))
}
