//! The values to try for one variable.
//!
//! A domain is complete when the conjuncts allow no value outside it; only then can trying all of them show
//! anything.

use std::collections::BTreeSet;

use backends_api::{BackendError, Budget};
use harness_check::eval::{EvalError, Evaluator};
use harness_model::{Char, CharSet, SmtString};
use harness_theory::sort::Sort;
use harness_theory::term::{Term, TermId, VarId};
use harness_theory::{Assignment, Value};

use crate::interval::Interval;
use crate::problem::Parts;
use crate::strategy::Bounds;

/// Characters that no literal names, beside those that one does.
const OTHERS: usize = 2;

/// A domain before its values are written down.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    kind: Kind,
    /// How many values; no number means too many to try.
    pub(crate) count: Option<u64>,
    pub(crate) complete: bool,
}

#[derive(Clone, Debug)]
enum Kind {
    Words { characters: Vec<Char>, least: u32, most: u32 },
    Ints(Vec<i64>),
    Bools,
}

/// The values, those with short words or small numbers first.
#[derive(Debug)]
pub(crate) struct Domain {
    pub(crate) values: Vec<Value>,
    /// For words: how many values have at most so many characters.
    pub(crate) ends: Option<Vec<usize>>,
}

/// What the literals of a problem name.
#[derive(Debug)]
pub(crate) struct Named {
    characters: BTreeSet<Char>,
    integers: BTreeSet<i64>,
}

impl Named {
    pub(crate) fn of(parts: &Parts<'_>) -> Self {
        let mut this = Self { characters: BTreeSet::new(), integers: BTreeSet::new() };
        for &id in &parts.cone {
            match parts.terms.get(id) {
                Term::String(text) => this.characters.extend(text.chars()),
                Term::Int(value) => this.integers.extend(value.small()),
                Term::Var(_) | Term::Bool(_) | Term::App(..) => {}
            }
        }
        this
    }
}

/// The number of words of `least` to `most` characters out of `letters`, if it is at most `limit`.
fn words_up_to(letters: u64, least: u32, most: u32, limit: u64) -> Option<u64> {
    let mut sum = 0_u64;
    for length in least..=most {
        sum = sum.checked_add(letters.checked_pow(length)?).filter(|&sum| sum <= limit)?;
    }
    Some(sum)
}

impl Outline {
    /// What to try for the variable at `place`, whose values are within `range` and made of `characters`.
    pub(crate) fn new(
        sort: Sort,
        range: Interval,
        characters: &CharSet,
        named: &Named,
        bounds: &Bounds,
    ) -> Self {
        match sort {
            Sort::String => Self::words(range, characters, named, bounds),
            Sort::Int => Self::ints(range, named, bounds),
            Sort::Bool | Sort::RegLan => Self { kind: Kind::Bools, count: Some(2), complete: true },
        }
    }

    fn words(range: Interval, characters: &CharSet, named: &Named, bounds: &Bounds) -> Self {
        let end = |end: Option<i64>| end.map_or(u32::MAX, |e| u32::try_from(e.max(0)).unwrap_or(u32::MAX));
        let (least, high) = (end(range.low.or(Some(0))), end(range.high));
        let most = high.min(bounds.length);
        if range.is_empty() || (characters.is_empty() && least > 0) {
            let kind = Kind::Words { characters: Vec::new(), least: 1, most: 0 };
            return Self { kind, count: Some(0), complete: true };
        }
        // Without characters there is the empty word alone.
        let short_enough = high <= bounds.length || characters.is_empty();
        if let Some(count) = words_up_to(characters.len(), least, most, bounds.values) {
            let all = characters.ranges().iter().flat_map(|&(low, high)| (low..=high).map(Char)).collect();
            let kind = Kind::Words { characters: all, least, most };
            return Self { kind, count: Some(count), complete: short_enough };
        }
        let known = named.characters.iter().copied().filter(|&c| characters.contains(c));
        let others = characters.ranges().iter().flat_map(|&(low, high)| (low..=high).map(Char));
        let others = others.filter(|c| !named.characters.contains(c)).take(OTHERS);
        let some: Vec<Char> = known.chain(others).collect();
        let letters = u64::try_from(some.len()).unwrap_or(u64::MAX);
        let count = words_up_to(letters, least, most, bounds.values);
        Self { kind: Kind::Words { characters: some, least, most }, count, complete: false }
    }

    fn ints(range: Interval, named: &Named, bounds: &Bounds) -> Self {
        let (values, complete): (Vec<i64>, bool) = match (range.count(), range.low, range.high) {
            (Some(0), ..) => (Vec::new(), true),
            (Some(count), Some(low), Some(high)) if count <= bounds.values => ((low..=high).collect(), true),
            _ => {
                let inside = |v: &i64| !Interval::single(*v).intersect(range).is_empty();
                let width = bounds.high.saturating_sub(bounds.low);
                let mut some: BTreeSet<i64> = (bounds.low..=bounds.high).filter(inside).collect();
                // Where the usual numbers are not possible, those next to the bound.
                if let (true, Some(low)) = (some.is_empty(), range.low) {
                    some.extend((low..=low.saturating_add(width)).filter(inside));
                }
                if let (true, Some(high)) = (some.is_empty(), range.high) {
                    some.extend((high.saturating_sub(width)..=high).filter(inside));
                }
                let near = |&v: &i64| [v.saturating_sub(1), v, v.saturating_add(1)];
                some.extend(named.integers.iter().flat_map(near).filter(inside));
                (some.into_iter().collect(), false)
            }
        };
        let count = u64::try_from(values.len()).ok();
        let mut values = values;
        values.sort_by_key(|v| (v.unsigned_abs(), *v < 0));
        Self { kind: Kind::Ints(values), count, complete }
    }

    /// Why there are too many values to try, in a word.
    pub(crate) fn excess(&self, name: &str, bounds: &Bounds) -> String {
        let of = match &self.kind {
            Kind::Words { characters, .. } => format!("over {} characters", characters.len()),
            Kind::Ints(_) | Kind::Bools => "in its range".to_owned(),
        };
        format!("more than {} values {of} for '{name}'", bounds.values)
    }

    /// Writes the values down, without those for which one of `filters`, which have no other variable, is
    /// false. Where a filter has no value, the value is left out and the reason put into `doubt`.
    pub(crate) fn fill(
        &self,
        variable: VarId,
        filters: &[TermId],
        parts: &Parts<'_>,
        budget: &Budget,
        doubt: &mut Option<EvalError>,
    ) -> Result<Domain, BackendError> {
        let mut evaluator = Evaluator::new(parts.terms, filters, parts.alphabet);
        let mut assignment = Assignment::new();
        let mut values = Vec::new();
        let mut keep = |value: Value, values: &mut Vec<Value>| -> Result<(), BackendError> {
            budget.tick()?;
            assignment.insert(variable, value);
            match evaluator.all_true(&assignment) {
                Ok(true) => values.extend(assignment.remove(&variable)),
                Ok(false) => {}
                Err(error) => {
                    doubt.get_or_insert(error);
                }
            }
            Ok(())
        };
        let ends = match &self.kind {
            Kind::Bools => {
                keep(Value::Bool(false), &mut values)?;
                keep(Value::Bool(true), &mut values)?;
                None
            }
            Kind::Ints(ints) => {
                for &int in ints {
                    keep(Value::Int(int.into()), &mut values)?;
                }
                None
            }
            Kind::Words { characters, least, most } => {
                let mut ends = vec![0; usize::try_from(*least).unwrap_or(usize::MAX).min(1 << 16)];
                for length in *least..=*most {
                    for word in WordsOf::new(characters, length) {
                        keep(Value::String(word), &mut values)?;
                    }
                    ends.push(values.len());
                }
                Some(ends)
            }
        };
        Ok(Domain { values, ends })
    }
}

/// The words of one length, in the order of their characters.
struct WordsOf<'a> {
    characters: &'a [Char],
    /// Indices of the next word's characters; none when there is no next word.
    next: Option<Vec<usize>>,
}

impl<'a> WordsOf<'a> {
    fn new(characters: &'a [Char], length: u32) -> Self {
        let some = length == 0 || !characters.is_empty();
        Self { characters, next: some.then(|| vec![0; length as usize]) }
    }
}

impl Iterator for WordsOf<'_> {
    type Item = SmtString;

    fn next(&mut self) -> Option<SmtString> {
        let mut indices = self.next.take()?;
        let word = indices.iter().map(|&i| self.characters[i]).collect();
        let last = self.characters.len().saturating_sub(1);
        if let Some(place) = indices.iter().rposition(|&i| i < last) {
            indices[place] += 1;
            indices[place + 1..].fill(0);
            self.next = Some(indices);
        }
        Some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> CharSet {
        CharSet::from_ranges(text.chars().map(|c| (u32::from(c), u32::from(c))))
    }

    fn named(characters: &str, integers: &[i64]) -> Named {
        Named {
            characters: characters.chars().map(|c| Char(u32::from(c))).collect(),
            integers: integers.iter().copied().collect(),
        }
    }

    fn outline(sort: Sort, range: Interval, characters: &CharSet, named: &Named) -> Outline {
        Outline::new(sort, range, characters, named, &Bounds::DEFAULT)
    }

    #[test]
    fn words_of_a_length_are_all_there_once() {
        let letters = [Char(97), Char(98), Char(99)];
        for length in 0..5 {
            let words: BTreeSet<SmtString> = WordsOf::new(&letters, length).collect();
            assert_eq!(words.len(), 3_usize.pow(length));
            assert_eq!(WordsOf::new(&letters, length).count(), words.len());
        }
        assert_eq!(WordsOf::new(&[], 0).count(), 1);
        assert_eq!(WordsOf::new(&[], 1).count(), 0);
    }

    #[test]
    fn a_domain_is_complete_only_when_nothing_is_left_out() {
        let (abc, none) = (set("abc"), named("", &[]));
        let case = |range, characters: &CharSet| {
            let o = outline(Sort::String, range, characters, &none);
            (o.count, o.complete)
        };
        assert_eq!(case(Interval::new(0, 4), &abc), (Some(121), true));
        assert_eq!(case(Interval::new(2, 3), &abc), (Some(36), true));
        assert_eq!(case(Interval::new(0, 5), &abc), (Some(121), false));
        assert_eq!(case(Interval::NATURAL, &abc), (Some(121), false));
        assert_eq!(case(Interval::NATURAL, &set("")), (Some(1), true));
        assert_eq!(case(Interval::NONE, &abc), (Some(0), true));
        assert_eq!(case(Interval::new(1, 2), &set("")), (Some(0), true));
        // All of ascii is too much for four characters: two that nobody named, then.
        let full = CharSet::full(harness_model::Alphabet::Ascii);
        assert_eq!(case(Interval::new(0, 4), &full), (Some(31), false));
        assert_eq!(case(Interval::new(1, 1), &full), (Some(128), true));
    }

    #[test]
    fn too_many_named_characters_are_not_counted() {
        let all: String = ('!'..='~').collect();
        let o = outline(Sort::String, Interval::NATURAL, &set(&all), &named(&all, &[]));
        assert_eq!(o.count, None);
    }

    #[test]
    fn integers_are_those_of_the_range_or_some_of_them() {
        let none = named("", &[40]);
        let case = |range| {
            let o = outline(Sort::Int, range, &set(""), &none);
            let Kind::Ints(mut values) = o.kind else { panic!("not integers") };
            values.sort_unstable();
            (values, o.complete)
        };
        assert_eq!(case(Interval::new(3, 5)), (vec![3, 4, 5], true));
        let open = case(Interval { low: Some(0), high: None });
        assert_eq!(open, (vec![0, 1, 2, 3, 4, 5, 6, 39, 40, 41], false));
        let far = case(Interval { low: Some(100), high: None });
        assert_eq!(far, ((100..=108).collect(), false));
        assert_eq!(case(Interval { low: None, high: Some(-9) }).0, (-17..=-9).collect::<Vec<_>>());
        assert_eq!(case(Interval::NONE), (vec![], true));
    }
}
