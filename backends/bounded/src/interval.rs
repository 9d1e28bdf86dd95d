//! Intervals of integers, open or closed by a number at either end.
//!
//! Every operation may only lose precision: an end that does not fit 64 bits is open.

/// The integers from `low` to `high`, both included; no end means without bound. Empty when `low > high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) low: Option<i64>,
    pub(crate) high: Option<i64>,
}

impl Interval {
    pub(crate) const ALL: Self = Self { low: None, high: None };
    /// What a length may be.
    pub(crate) const NATURAL: Self = Self { low: Some(0), high: None };
    pub(crate) const NONE: Self = Self { low: Some(1), high: Some(0) };

    pub(crate) const fn new(low: i64, high: i64) -> Self {
        Self { low: Some(low), high: Some(high) }
    }

    pub(crate) const fn single(value: i64) -> Self {
        Self::new(value, value)
    }

    /// The numbers up to the greatest of this one.
    pub(crate) const fn and_below(self) -> Self {
        Self { low: None, high: self.high }
    }

    /// The numbers from the least of this one on.
    pub(crate) const fn and_above(self) -> Self {
        Self { low: self.low, high: None }
    }

    pub(crate) fn is_empty(self) -> bool {
        matches!((self.low, self.high), (Some(low), Some(high)) if low > high)
    }

    pub(crate) fn intersect(self, other: Self) -> Self {
        let pick = |a: Option<i64>, b: Option<i64>, f: fn(i64, i64) -> i64| match (a, b) {
            (Some(a), Some(b)) => Some(f(a, b)),
            (a, b) => a.or(b),
        };
        Self { low: pick(self.low, other.low, i64::max), high: pick(self.high, other.high, i64::min) }
    }

    /// The least interval around both.
    pub(crate) fn hull(self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let pick = |a: Option<i64>, b: Option<i64>, f: fn(i64, i64) -> i64| Some(f(a?, b?));
        Self { low: pick(self.low, other.low, i64::min), high: pick(self.high, other.high, i64::max) }
    }

    pub(crate) fn add(self, other: Self) -> Self {
        let sum = |a: Option<i64>, b: Option<i64>| a?.checked_add(b?);
        Self { low: sum(self.low, other.low), high: sum(self.high, other.high) }
    }

    pub(crate) fn neg(self) -> Self {
        let opposite = |end: Option<i64>| end.and_then(i64::checked_neg);
        Self { low: opposite(self.high), high: opposite(self.low) }
    }

    pub(crate) fn sub(self, other: Self) -> Self {
        self.add(other.neg())
    }

    /// All products, where both are closed; else everything.
    pub(crate) fn mul(self, other: Self) -> Self {
        let products = || {
            let (a, b) = ([self.low?, self.high?], [other.low?, other.high?]);
            let all: Option<Vec<i64>> = a.iter().flat_map(|a| b.iter().map(|b| a.checked_mul(*b))).collect();
            let all = all?;
            Some(Self { low: all.iter().min().copied(), high: all.iter().max().copied() })
        };
        products().unwrap_or(Self::ALL)
    }

    /// How many numbers, where it is closed.
    pub(crate) fn count(self) -> Option<u64> {
        if self.is_empty() {
            return Some(0);
        }
        u64::try_from(i128::from(self.high?) - i128::from(self.low?) + 1).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small intervals with every combination of ends.
    fn samples() -> Vec<Interval> {
        let ends = [None, Some(-2), Some(0), Some(3)];
        ends.iter().flat_map(|&low| ends.map(|high| Interval { low, high })).collect()
    }

    fn has(interval: Interval, value: i64) -> bool {
        interval.low.is_none_or(|l| l <= value) && interval.high.is_none_or(|h| value <= h)
    }

    #[test]
    fn operations_lose_nothing() {
        for a in samples() {
            for b in samples() {
                for x in (-6..=6).filter(|&x| has(a, x)) {
                    assert!(has(a.hull(b), x) && has(b.hull(a), x) && has(a.neg(), -x));
                    for y in (-6..=6).filter(|&y| has(b, y)) {
                        assert!(has(a.add(b), x + y) && has(a.sub(b), x - y) && has(a.mul(b), x * y));
                        assert!(x != y || has(a.intersect(b), x));
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_that_do_not_fit_are_open() {
        let large = Interval::new(i64::MIN, i64::MAX);
        assert_eq!(large.add(Interval::single(1)).high, None);
        assert_eq!(large.neg().high, None);
        assert_eq!(large.mul(large), Interval::ALL);
        assert_eq!(large.count(), None);
        assert_eq!(Interval::new(-2, 6).count(), Some(9));
        assert_eq!(Interval::NONE.count(), Some(0));
    }
}
