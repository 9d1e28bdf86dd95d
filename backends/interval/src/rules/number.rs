//! Rules of numerals, and the numerals between two numbers as an expression.

use backends_api::Stop;
use backends_graph::{IntVertex, StringVertex};
use harness_model::{Char, CharSet, Regex};

use crate::bounds::Interval;
use crate::language::Automaton;
use crate::refine::Refiner;

fn digit(low: u8, high: u8) -> Regex {
    Regex::set(CharSet::range(Char(0x30 + u32::from(low)), Char(0x30 + u32::from(high))))
}

fn digits_of(number: i64) -> Vec<u8> {
    number.to_string().bytes().map(|c| c.saturating_sub(b'0')).collect()
}

/// The numerals, without needless zeros, of the numbers from `low`, which is not negative, to `high` (no
/// `high`: all from `low` on).
pub fn numerals(low: i64, high: Option<i64>) -> Regex {
    let low = low.max(0);
    let first = digits_of(low);
    let nines = |count: usize| vec![9; count];
    let powers =
        |count: usize| std::iter::once(1).chain(std::iter::repeat_n(0, count - 1)).collect::<Vec<u8>>();
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let Some(high) = high else {
        let longer = Regex::concat([digit(1, 9), digit(0, 9).repeat(count(first.len()), None)]);
        return Regex::union([between(&first, &nines(first.len())), longer]);
    };
    if high < low {
        return Regex::Empty;
    }
    let last = digits_of(high);
    let by_length = (first.len()..=last.len()).map(|length| {
        let from = if length == first.len() { first.clone() } else { powers(length) };
        let to = if length == last.len() { last.clone() } else { nines(length) };
        between(&from, &to)
    });
    Regex::union(by_length)
}

/// The numerals between two of the same length.
fn between(low: &[u8], high: &[u8]) -> Regex {
    let ([l, low_rest @ ..], [h, high_rest @ ..]) = (low, high) else { return Regex::Epsilon };
    let rest = u32::try_from(low_rest.len()).unwrap_or(u32::MAX);
    if low.iter().all(|&d| d == 0) && high.iter().all(|&d| d == 9) {
        return digit(0, 9).repeat(rest + 1, Some(rest + 1));
    }
    if l == h {
        return Regex::concat([digit(*l, *l), between(low_rest, high_rest)]);
    }
    let mut parts = vec![
        Regex::concat([digit(*l, *l), between(low_rest, &vec![9; low_rest.len()])]),
        Regex::concat([digit(*h, *h), between(&vec![0; high_rest.len()], high_rest)]),
    ];
    if l + 1 < *h {
        parts.push(Regex::concat([digit(l + 1, h - 1), digit(0, 9).repeat(rest, Some(rest))]));
    }
    Regex::union(parts)
}

impl Refiner<'_> {
    /// `i` is the number that the digits of `s` write; -1 when `s` is not just digits or empty.
    pub(super) fn number_of(&mut self, s: StringVertex, i: IntVertex) -> Result<(), Stop> {
        self.bound(i, Interval { low: Some(-1), high: None });
        if self.is_refuted() {
            return Ok(());
        }
        let digits = self.context().regex(&digit(0, 9).repeat(1, None))?;
        let number = self.int(i);
        if number.at_most(-1) {
            return self.remove(s, &digits);
        }
        if number.at_least(0) {
            let zeros = digit(0, 0).star();
            let numeral = numerals(number.low.unwrap_or(0), number.high);
            let padded = self.context().regex(&Regex::concat([zeros, numeral]))?;
            self.narrow(s, &padded)?;
        } else if let Some(high) = number.high {
            // A number above is none of those that are left.
            let above = numerals(high.saturating_add(1), None);
            let above = self.context().regex(&Regex::concat([digit(0, 0).star(), above]))?;
            self.remove(s, &above)?;
        }
        if self.is_refuted() {
            return Ok(());
        }
        let language = self.language(s);
        let written = self.context().intersection(&language, &digits)?;
        if self.context().is_empty(&written)? {
            self.bound(i, Interval::one(-1));
            return Ok(());
        }
        let Some(values) = self.values(&written)? else { return Ok(()) };
        let all = self.context().is_subset(&language, &digits)?;
        let low = if all { values.low } else { Some(-1) };
        self.bound(i, Interval { low, high: values.high });
        Ok(())
    }

    /// `r` are the digits of `i`; empty when `i` is negative.
    pub(super) fn word_of_number(&mut self, i: IntVertex, r: StringVertex) -> Result<(), Stop> {
        let number = self.int(i);
        let mut words = match number.at_most(-1) {
            true => Regex::Empty,
            false => numerals(number.low.unwrap_or(0), number.high),
        };
        if !number.at_least(0) {
            words = Regex::union([words, Regex::Epsilon]);
        }
        let words = self.context().regex(&words)?;
        self.narrow(r, &words)?;
        if self.is_refuted() {
            return Ok(());
        }
        let (least, greatest) = self.lengths(r);
        if greatest == Some(0) {
            self.bound(i, Interval { low: None, high: Some(-1) });
            return Ok(());
        }
        let digits = self.context().regex(&digit(0, 9).repeat(1, None))?;
        let written = self.context().intersection(&self.language(r), &digits)?;
        if let Some(values) = self.values(&written)? {
            let low = if least > 0 { values.low } else { None };
            self.bound(i, Interval { low, high: values.high });
        }
        Ok(())
    }

    /// The least and the greatest number that a word of `written`, all of them digits and not empty, writes.
    /// `None` when there is no such word.
    fn values(&self, written: &Automaton) -> Result<Option<Interval>, Stop> {
        let zeros = self.context().regex(&digit(0, 0).repeat(1, None))?;
        let zero = !self.context().is_disjoint(written, &zeros)?;
        let stripped = self.context().left_quotient(written, &self.context().regex(&digit(0, 0).star())?)?;
        let positive = self.context().regex(&Regex::concat([digit(1, 9), digit(0, 9).star()]))?;
        let stripped = self.context().minimise(&self.context().intersection(&stripped, &positive)?)?;
        let Some((least, greatest)) = self.context().lengths(&stripped)? else {
            return Ok(zero.then(|| Interval::one(0)));
        };
        let low = if zero { Some(0) } else { self.extreme(&stripped, least, false)? };
        let high = match greatest {
            Some(greatest) => self.extreme(&stripped, greatest, true)?,
            None => None,
        };
        Ok(Some(Interval { low, high }))
    }

    /// The least or greatest number of `length` digits in a language of numerals; `None` if it is too large
    /// to count with.
    fn extreme(&self, numerals: &Automaton, length: i64, greatest: bool) -> Result<Option<i64>, Stop> {
        if length > 18 {
            // Without a bound upwards; downwards some bound.
            return Ok((!greatest).then_some(1_000_000_000_000_000_000));
        }
        let exact = self.context().minimise(
            &self.context().intersection(numerals, &self.context().words_of_length(length, Some(length))?)?,
        )?;
        let mut state = exact.initial();
        let mut value = 0_i64;
        for _ in 0..length {
            let ends = exact.moves_from(state).iter().filter_map(|m| {
                let ranges = exact.label(m.label).as_slice();
                let end = if greatest { ranges.last()?.1 } else { ranges.first()?.0 };
                Some((end, m.target))
            });
            let Some((digit, next)) = (if greatest { ends.max() } else { ends.min() }) else {
                return Ok(None);
            };
            value = value * 10 + i64::from(digit) - 0x30;
            state = next;
        }
        Ok(Some(value))
    }
}

#[cfg(test)]
mod tests {
    use harness_model::{Alphabet, SmtString};

    use super::*;
    use crate::language::IntervalContext;

    #[test]
    fn numerals_are_those_of_the_numbers_between() {
        let context = IntervalContext::new(Alphabet::Ascii, u64::MAX);
        let ranges =
            [(0, Some(0)), (0, Some(9)), (7, Some(103)), (99, Some(100)), (120, Some(1299)), (45, Some(44))];
        for (low, high) in ranges.into_iter().chain([(0, None), (10, None), (73, None)]) {
            let a = context.regex(&numerals(low, high)).unwrap();
            for n in 0..1500 {
                let word = SmtString::from(n.to_string().as_str());
                let is = backends_automata::accepts(context.algebra(), &a, &word, &context.budget).unwrap();
                assert_eq!(is, low <= n && high.is_none_or(|high| n <= high), "{n} in {low}..{high:?}");
            }
            for word in ["", "00", "007", "1x"] {
                assert!(
                    !backends_automata::accepts(context.algebra(), &a, &word.into(), &context.budget)
                        .unwrap()
                );
            }
        }
    }
}
