//! Measures of claims: two strategies on the same items, with an interval by resampling of the items.
//!
//! An item is whatever is repeated independently: a task, a tree, a task by a representation. A [`Side`] says
//! what one strategy did on each; [`Pairs`] are the items that both sides have, with what was left out and
//! why. So a strategy never gains from an item that the other one refused, and an item is never compared with
//! another one.

use std::collections::BTreeMap;

use harness_model::Status;

use super::{Bound, Measured};
use crate::attempt::Attempt;
use crate::dataset::{Dataset, Row};
use crate::format::counted;
use crate::stats::{self, Interval};

/// Resamples for each interval.
const ROUNDS: usize = 1000;

/// The fewest items that have an interval by resampling: of five that all lie on one side, chance does that
/// in one of sixteen cases by itself, more than an interval of 95 % may miss.
const LEAST: usize = 6;

/// The fewest items of which the range of the single ones stands in for an interval.
const LEAST_IN_RANGE: usize = 3;

/// What one side did on an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A time or a count.
    Number(f64),
    /// It gave up or met a limit: a loss where solving is counted, of no time.
    Lost(Status),
    /// Neither a win nor a loss: unsupported, crashed, wrong; or there is no such number.
    Unfit(&'static str),
}

/// What one strategy did, by item.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// The strategy.
    pub name: String,
    /// By item.
    pub values: BTreeMap<String, Value>,
}

/// Whether a row says that its strategy could not do it with more effort either: no loss in a race.
fn is_unfit(status: Status) -> bool {
    match status {
        Status::Unsupported | Status::Crash | Status::Error | Status::Wrong | Status::InvalidModel => true,
        Status::Answered(_) | Status::Timeout | Status::Memout => false,
    }
}

/// What the repeats of one task come to: the median of `number` where all are solved. Where it is `None`, the
/// task is left out as `without`.
pub fn value(rows: &[&Row], without: &'static str, number: impl Fn(&Row) -> Option<f64>) -> Value {
    if let Some(row) = rows.iter().find(|row| is_unfit(row.status())) {
        return Value::Unfit(row.status().name());
    }
    if let Some(row) = rows.iter().find(|row| !row.status().is_solved()) {
        return Value::Lost(row.status());
    }
    let numbers: Option<Vec<f64>> = rows.iter().map(|row| number(row)).collect();
    match numbers.and_then(|numbers| stats::median(&numbers)) {
        Some(number) => Value::Number(number),
        None => Value::Unfit(without),
    }
}

/// What an attempt comes to: its own time.
pub fn of_attempt(attempt: &Attempt<'_>) -> Value {
    match attempt.own_s {
        Some(time) => Value::Number(time),
        None if is_unfit(attempt.status) => Value::Unfit(attempt.status.name()),
        None => Value::Lost(attempt.status),
    }
}

impl Side {
    /// The strategy `name` on the tasks whose rows `keep` keeps; [`value`] says what it has there.
    pub fn of(
        dataset: &Dataset,
        name: &str,
        keep: impl Fn(&Row) -> bool,
        without: &'static str,
        number: impl Fn(&Row) -> Option<f64>,
    ) -> Self {
        let mut tasks: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
        for row in dataset.rows().iter().filter(|row| row.strategy() == name && keep(row)) {
            tasks.entry(row.task()).or_default().push(row);
        }
        let values =
            tasks.into_iter().map(|(task, rows)| (task.to_owned(), value(&rows, without, &number))).collect();
        Self { name: name.to_owned(), values }
    }

    /// The items of several sides under distinct names, as one side called `name`.
    pub fn together(name: &str, sides: impl IntoIterator<Item = Self>) -> Self {
        let items = |side: Self| {
            let of = side.name;
            side.values.into_iter().map(move |(item, value)| (format!("{item} {of}"), value))
        };
        Self { name: name.to_owned(), values: sides.into_iter().flat_map(items).collect() }
    }

    /// The same items under the name `name`, as [`Side::together`] needs it to put them beside those of
    /// another side.
    #[must_use]
    pub fn called(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// The share of items of which the value is a number that `holds`; items that are not fit are left out.
    ///
    /// # Errors
    ///
    /// When there is no item.
    pub fn share(&self, holds: impl Fn(Value) -> bool) -> Result<Measured, String> {
        let fit = self.values.values().filter(|value| !matches!(value, Value::Unfit(_)));
        let items: Vec<f64> = fit.map(|value| if holds(*value) { 1.0 } else { 0.0 }).collect();
        let value = average(&items).ok_or("the run has no such rows")?;
        let unfit = self.values.len() - items.len();
        Ok(Measured {
            value,
            bound: Bound::Exact,
            interval: share_interval(value, items.len()),
            items: items.len(),
            compared: self.name.clone(),
            remark: if unfit == 0 { String::new() } else { format!("left out: {unfit} not fit to count") },
        })
    }
}

/// The first of two sides and the second one on the same items.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// `first : second`.
    compared: String,
    /// Items that no side was unfit for.
    values: Vec<[Value; 2]>,
    /// What was left out, with its number.
    left_out: BTreeMap<String, usize>,
    /// On which side a limit was counted as a time somewhere.
    is_cut: [bool; 2],
    seed: u64,
}

impl Pairs {
    /// The items that both sides have.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn new(first: &Side, second: &Side, seed: u64) -> Result<Self, String> {
        let mut values = Vec::new();
        let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
        let mut both = 0usize;
        for (item, &one) in &first.values {
            let Some(&other) = second.values.get(item) else { continue };
            both += 1;
            let unfit = [(one, first), (other, second)].into_iter().find_map(|(value, side)| match value {
                Value::Unfit(why) => Some(format!("{why} ({})", side.name)),
                Value::Number(_) | Value::Lost(_) => None,
            });
            match unfit {
                Some(why) => *left_out.entry(why).or_default() += 1,
                None => values.push([one, other]),
            }
        }
        if both == 0 {
            return Err("the run does not have both sides on the same tasks".to_owned());
        }
        Ok(Self {
            compared: format!("{} : {}", first.name, second.name),
            values,
            left_out,
            is_cut: [false; 2],
            seed,
        })
    }

    /// The same pairs, where a time-out counts as a time of `limit_s`, about the least that it took; measures
    /// of them are [bounds](Bound). What ran out of time on both sides stays as it is.
    #[must_use]
    pub fn with_limit(mut self, limit_s: f64) -> Self {
        let late = Value::Lost(Status::Timeout);
        let mut bounded = 0usize;
        for pair in &mut self.values {
            for (side, other) in [(0, 1), (1, 0)] {
                if pair[side] == late && matches!(pair[other], Value::Number(_)) {
                    pair[side] = Value::Number(limit_s);
                    self.is_cut[side] = true;
                    bounded += 1;
                }
            }
        }
        if bounded > 0 {
            self.compared
                .push_str(&format!(" ({} counted as the limit)", counted(bounded, "time-out", "time-outs")));
        }
        self
    }

    /// What a ratio of these pairs is to the true one.
    const fn bound(&self) -> Bound {
        Bound::of_ratio(self.is_cut[0], self.is_cut[1])
    }

    /// The items on which both have a number, the others counted as left out.
    fn numbers(&self) -> (Vec<(f64, f64)>, String) {
        let mut left_out = self.left_out.clone();
        let mut numbers = Vec::new();
        for pair in &self.values {
            match pair {
                [Value::Number(one), Value::Number(other)] => numbers.push((*one, *other)),
                _ => *left_out.entry("not solved by both".to_owned()).or_default() += 1,
            }
        }
        (numbers, said(&left_out))
    }

    /// A statistic of the numbers of both sides.
    ///
    /// # Errors
    ///
    /// When there are none, or the statistic does not exist.
    pub fn statistic(&self, statistic: impl Fn(&[(f64, f64)]) -> Option<f64>) -> Result<Measured, String> {
        let (items, remark) = self.numbers();
        let Some(value) = statistic(&items) else {
            let why =
                if items.is_empty() { "no task was solved by both" } else { "nothing above 0 to divide by" };
            return Err(if remark.is_empty() { why.to_owned() } else { format!("{why}; {remark}") });
        };
        let interval = interval(&items, &statistic, self.seed);
        let compared = self.compared.clone();
        Ok(Measured { value, bound: self.bound(), interval, items: items.len(), compared, remark })
    }

    /// The total of the first side over that of the second one.
    ///
    /// # Errors
    ///
    /// As [`Pairs::statistic`].
    pub fn totals(&self) -> Result<Measured, String> {
        self.statistic(ratio_of_totals)
    }

    /// The median of the first side over that of the second one.
    ///
    /// # Errors
    ///
    /// As [`Pairs::statistic`].
    pub fn medians(&self) -> Result<Measured, String> {
        self.statistic(|items| {
            let of =
                |side: fn(&(f64, f64)) -> f64| stats::median(&items.iter().map(side).collect::<Vec<_>>());
            over(of(|item| item.0)?, of(|item| item.1)?)
        })
    }

    /// The geometric mean of the first over the second.
    ///
    /// # Errors
    ///
    /// As [`Pairs::statistic`].
    pub fn geometric_mean(&self) -> Result<Measured, String> {
        self.statistic(|items| {
            let logarithms: Vec<f64> = items
                .iter()
                .filter_map(|(one, other)| over(*one, *other))
                .filter(|r| *r > 0.0)
                .map(f64::ln)
                .collect();
            stats::mean(&logarithms).map(f64::exp)
        })
    }

    /// The mean of the ratios of the first over the second.
    ///
    /// # Errors
    ///
    /// As [`Pairs::statistic`].
    pub fn mean_ratio(&self) -> Result<Measured, String> {
        self.statistic(|items| {
            let ratios: Vec<f64> = items.iter().filter_map(|(one, other)| over(*one, *other)).collect();
            stats::mean(&ratios)
        })
    }

    /// The largest ratio of the first over the second, without an interval by resampling: it is a fact about
    /// this run, so its interval is itself.
    ///
    /// # Errors
    ///
    /// As [`Pairs::statistic`].
    pub fn largest(&self) -> Result<Measured, String> {
        let largest = |items: &[(f64, f64)]| {
            items.iter().filter_map(|(one, other)| over(*one, *other)).reduce(f64::max)
        };
        let measured = self.statistic(largest)?;
        let interval = Some(Interval { low: measured.value, high: measured.value });
        Ok(Measured { interval, ..measured })
    }

    /// The share of items on which the second is faster: both solved it and it took less time, or it alone
    /// solved it. What neither solved is left out.
    ///
    /// # Errors
    ///
    /// When no item is left.
    pub fn second_is_faster(&self) -> Result<Measured, String> {
        let mut left_out = self.left_out.clone();
        let mut items = Vec::new();
        for pair in &self.values {
            items.push(match pair {
                [Value::Number(one), Value::Number(other)] => other < one,
                [_, Value::Number(_)] => true,
                [Value::Number(_), _] => false,
                _ => {
                    *left_out.entry("solved by neither".to_owned()).or_default() += 1;
                    continue;
                }
            });
        }
        let measured = self.of_items(items.into_iter().map(f64::from), &left_out)?;
        Ok(Measured { interval: share_interval(measured.value, measured.items), ..measured })
    }

    /// The share of the items with a number on both sides of which these `hold`.
    ///
    /// # Errors
    ///
    /// As [`Pairs::statistic`].
    pub fn share(&self, holds: impl Fn((f64, f64)) -> bool) -> Result<Measured, String> {
        let average = |items: &[(f64, f64)]| {
            average(&items.iter().map(|item| f64::from(holds(*item))).collect::<Vec<_>>())
        };
        let measured = self.statistic(average)?;
        Ok(Measured { interval: share_interval(measured.value, measured.items), ..measured })
    }

    /// By how much larger a share of the items the second side solved.
    ///
    /// # Errors
    ///
    /// When no item is left.
    pub fn second_solves_more(&self) -> Result<Measured, String> {
        let solved = |value: &Value| f64::from(matches!(value, Value::Number(_)));
        let [one, other] =
            [0, 1].map(|side: usize| self.values.iter().map(|pair| solved(&pair[side])).sum::<f64>());
        let differences = self.values.iter().map(|[one, other]| solved(other) - solved(one));
        let mut measured = self.of_items(differences, &self.left_out)?;
        let counts = format!("solved: {one} and {other} of {}", measured.items);
        measured.remark =
            if measured.remark.is_empty() { counts } else { format!("{counts}; {}", measured.remark) };
        Ok(measured)
    }

    /// The mean of `items`.
    fn of_items(
        &self,
        items: impl Iterator<Item = f64>,
        left_out: &BTreeMap<String, usize>,
    ) -> Result<Measured, String> {
        let items: Vec<f64> = items.collect();
        let remark = said(left_out);
        let Some(value) = average(&items) else {
            return Err(format!("no task is left to compare; {remark}").trim_end_matches("; ").to_owned());
        };
        let interval = interval(&items, average, self.seed);
        let compared = self.compared.clone();
        Ok(Measured { value, bound: Bound::Exact, interval, items: items.len(), compared, remark })
    }
}

/// The mean of `items`, in one pass.
fn average(items: &[f64]) -> Option<f64> {
    (!items.is_empty()).then(|| items.iter().sum::<f64>() / stats::sample::count(items.len()))
}

/// The interval of a statistic, by resampling; of few items the range that the statistic has on single ones,
/// which is wider; `None` of even fewer.
fn interval<T: Clone>(items: &[T], statistic: impl Fn(&[T]) -> Option<f64>, seed: u64) -> Option<Interval> {
    if items.len() >= LEAST {
        return stats::bootstrap(items, statistic, 0.95, ROUNDS, seed);
    }
    let single: Vec<f64> = items.chunks(1).filter_map(statistic).collect();
    if single.len() < LEAST_IN_RANGE {
        return None;
    }
    Some(Interval { low: stats::quantile(&single, 0.0)?, high: stats::quantile(&single, 1.0)? })
}

/// Wilson's interval of a share, which is right where none or all of the items hold too, unlike resampling;
/// `None` of too few items.
fn share_interval(share: f64, items: usize) -> Option<Interval> {
    /// Of 95 % of a normal distribution.
    const Z: f64 = 1.96;
    if items < LEAST_IN_RANGE {
        return None;
    }
    let n = stats::sample::count(items);
    let scale = 1.0 + Z * Z / n;
    let middle = (share + Z * Z / (2.0 * n)) / scale;
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt() / scale;
    // The ends of shares of nothing and of all are exact, which rounding would hide.
    let low = if share <= 0.0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if share >= 1.0 { 1.0 } else { (middle + half).min(1.0) };
    Some(Interval { low, high })
}

/// A ratio, where there is one.
fn over(one: f64, other: f64) -> Option<f64> {
    (other > 0.0 && (one / other).is_finite()).then(|| one / other)
}

/// The total of the first over the total of the second.
pub fn ratio_of_totals(items: &[(f64, f64)]) -> Option<f64> {
    over(items.iter().map(|item| item.0).sum(), items.iter().map(|item| item.1).sum())
}

/// "left out: 3 unsupported (x), 1 not solved by both"; empty where nothing was.
fn said(left_out: &BTreeMap<String, usize>) -> String {
    if left_out.is_empty() {
        return String::new();
    }
    let texts: Vec<String> = left_out.iter().map(|(why, n)| format!("{n} {why}")).collect();
    format!("left out: {}", texts.join(", "))
}

/// A number that is no estimate: a count, or an extreme of this run. Its interval is itself.
pub fn exact(value: f64, items: usize, compared: String, remark: String) -> Measured {
    let interval = Some(Interval { low: value, high: value });
    Measured { value, bound: Bound::Exact, interval, items, compared, remark }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(name: &str, values: &[Value]) -> Side {
        let items = values.iter().enumerate().map(|(i, value)| (format!("t{i}"), *value));
        Side { name: name.to_owned(), values: items.collect() }
    }

    fn numbers(name: &str, values: &[f64]) -> Side {
        side(name, &values.iter().map(|value| Value::Number(*value)).collect::<Vec<_>>())
    }

    #[test]
    fn a_share_of_all_reaches_all() {
        for items in 3..200 {
            let (all, none) = (share_interval(1.0, items).unwrap(), share_interval(0.0, items).unwrap());
            assert!(all.high == 1.0 && none.low == 0.0 && all.low < 1.0 && none.high > 0.0, "{items}");
        }
    }

    #[test]
    fn what_the_other_does_not_support_is_no_win() {
        let refused = Value::Unfit("unsupported");
        let late = Value::Lost(Status::Timeout);
        let mine = side("a", &[Value::Number(1.0), Value::Number(1.0), late, late, Value::Number(1.0)]);
        let theirs = side("b", &[refused, Value::Number(3.0), Value::Number(9.0), late, late]);
        let pairs = Pairs::new(&theirs, &mine, 1).unwrap();
        // t0 is left out, t3 is solved by neither: a is faster on t1 and t4, b on t2.
        let faster = pairs.second_is_faster().unwrap();
        assert_eq!((faster.value, faster.items), (2.0 / 3.0, 3));
        assert_eq!(faster.remark, "left out: 1 solved by neither, 1 unsupported (b)");
        let more = pairs.second_solves_more().unwrap();
        assert_eq!((more.value, more.items), (0.0, 4));
        assert_eq!(more.remark, "solved: 2 and 2 of 4; left out: 1 unsupported (b)");
        let totals = pairs.totals().unwrap();
        assert_eq!((totals.value, totals.items, totals.interval), (3.0, 1, None));
        assert_eq!(totals.remark, "left out: 3 not solved by both, 1 unsupported (b)");
    }

    #[test]
    fn a_difference_may_be_negative() {
        let late = Value::Lost(Status::Timeout);
        let pairs = Pairs::new(&numbers("a", &[1.0; 8]), &side("b", &[late; 8]), 1).unwrap();
        let more = pairs.second_solves_more().unwrap();
        assert_eq!((more.value, more.interval), (-1.0, Some(Interval { low: -1.0, high: -1.0 })));
    }

    #[test]
    fn totals_medians_and_means_of_the_first_over_the_second() {
        let pairs =
            Pairs::new(&numbers("a", &[8.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0]), &numbers("b", &[1.0; 7]), 1)
                .unwrap();
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(close(pairs.totals().unwrap().value, 20.0 / 7.0));
        assert!(close(pairs.medians().unwrap().value, 2.0));
        assert!(close(pairs.geometric_mean().unwrap().value, 2f64.powf(9.0 / 7.0)));
        assert_eq!(pairs.largest().unwrap().value, 8.0);
        let Interval { low, high } = pairs.totals().unwrap().interval.unwrap();
        assert!(low >= 2.0 && high <= 8.0 && low < high, "{low} {high}");
    }

    #[test]
    fn few_items_have_the_range_of_the_single_ones() {
        let of = |n: usize| {
            let first: Vec<f64> = (0..n).map(|i| stats::sample::count(i + 2)).collect();
            Pairs::new(&numbers("a", &first), &numbers("b", &vec![1.0; n]), 1)
                .unwrap()
                .totals()
                .unwrap()
                .interval
        };
        assert_eq!(of(2), None);
        assert_eq!(of(3), Some(Interval { low: 2.0, high: 4.0 }));
        assert!(of(9).unwrap().low > 2.0, "a bootstrap is narrower than the range");
    }

    #[test]
    fn nothing_in_common_and_nothing_solved_are_told_apart() {
        let other =
            Side { name: "b".to_owned(), values: [("elsewhere".to_owned(), Value::Number(1.0))].into() };
        assert!(Pairs::new(&numbers("a", &[1.0]), &other, 1).unwrap_err().contains("on the same tasks"));
        let pairs = Pairs::new(&numbers("a", &[1.0]), &side("b", &[Value::Lost(Status::Memout)]), 1).unwrap();
        assert_eq!(pairs.totals().unwrap_err(), "no task was solved by both; left out: 1 not solved by both");
    }
}
