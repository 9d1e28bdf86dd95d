//! Sets of characters as a regular expression writes them: sorted, disjoint, non-adjacent ranges.
//!
//! This is vocabulary, for parsers and for the trusted matcher. The label algebras that the study compares
//! live in `backends-algebra` and take only the ranges from here.

use crate::alphabet::{Alphabet, Char};

/// A set of characters. Equal sets are equal values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CharSet {
    /// Sorted by start; each range is non-empty and ends at least two before the next one starts.
    ranges: Vec<(u32, u32)>,
}

impl CharSet {
    /// The empty set.
    pub const fn empty() -> Self {
        Self { ranges: Vec::new() }
    }

    /// All characters of `alphabet`.
    pub fn full(alphabet: Alphabet) -> Self {
        Self { ranges: vec![(0, alphabet.max().0)] }
    }

    /// One character.
    pub fn single(c: Char) -> Self {
        Self { ranges: vec![(c.0, c.0)] }
    }

    /// The characters from `low` to `high`, both included; empty when `low > high`.
    pub fn range(low: Char, high: Char) -> Self {
        Self::from_ranges([(low.0, high.0)])
    }

    /// The union of inclusive ranges in any order; ranges with `low > high` are empty.
    pub fn from_ranges(ranges: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut all: Vec<(u32, u32)> = ranges.into_iter().filter(|(low, high)| low <= high).collect();
        all.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(all.len());
        for (low, high) in all {
            match merged.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        Self { ranges: merged }
    }

    /// The inclusive ranges, sorted, disjoint and not adjacent.
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// Whether there is no character in it.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// How many characters.
    pub fn len(&self) -> u64 {
        self.ranges.iter().map(|(low, high)| u64::from(high - low) + 1).sum()
    }

    /// Whether `c` is in it; logarithmic in the number of ranges.
    pub fn contains(&self, c: Char) -> bool {
        let after = self.ranges.partition_point(|&(low, _)| low <= c.0);
        after > 0 && self.ranges[after - 1].1 >= c.0
    }

    /// The characters in either.
    pub fn union(&self, other: &Self) -> Self {
        Self::from_ranges(self.ranges.iter().chain(&other.ranges).copied())
    }

    /// The characters in both.
    pub fn intersection(&self, other: &Self) -> Self {
        let (mut i, mut j) = (0, 0);
        let mut ranges = Vec::new();
        while let (Some(&(a_low, a_high)), Some(&(b_low, b_high))) = (self.ranges.get(i), other.ranges.get(j))
        {
            let (low, high) = (a_low.max(b_low), a_high.min(b_high));
            if low <= high {
                ranges.push((low, high));
            }
            if a_high < b_high { i += 1 } else { j += 1 }
        }
        Self { ranges }
    }

    /// The characters of `alphabet` that are not in it.
    pub fn complement(&self, alphabet: Alphabet) -> Self {
        let mut ranges = Vec::with_capacity(self.ranges.len() + 1);
        let mut next = 0;
        for &(low, high) in self.ranges.iter().take_while(|(low, _)| *low <= alphabet.max().0) {
            if next < low {
                ranges.push((next, low - 1));
            }
            next = high.saturating_add(1);
        }
        if next <= alphabet.max().0 {
            ranges.push((next, alphabet.max().0));
        }
        Self { ranges }
    }

    /// The characters that are not in `other`.
    pub fn difference(&self, other: &Self) -> Self {
        self.intersection(&other.complement(Alphabet::Unicode))
    }

    /// The part inside `alphabet`.
    pub fn cut_to(&self, alphabet: Alphabet) -> Self {
        self.intersection(&Self::full(alphabet))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ranges: &[(u32, u32)]) -> CharSet {
        CharSet::from_ranges(ranges.iter().copied())
    }

    #[test]
    fn adjacent_ranges_merge() {
        assert_eq!(set(&[(5, 7), (1, 2), (3, 4), (9, 8)]).ranges(), [(1, 7)]);
    }

    #[test]
    fn operations_agree_with_membership() {
        let samples = [
            set(&[]),
            set(&[(0, 0)]),
            set(&[(3, 9), (20, 126)]),
            set(&[(0, 127)]),
            set(&[(5, 5), (127, 127)]),
        ];
        for a in &samples {
            for b in &samples {
                for c in (0..128).map(Char) {
                    assert_eq!(a.union(b).contains(c), a.contains(c) || b.contains(c));
                    assert_eq!(a.intersection(b).contains(c), a.contains(c) && b.contains(c));
                    assert_eq!(a.difference(b).contains(c), a.contains(c) && !b.contains(c));
                    assert_eq!(a.complement(Alphabet::Ascii).contains(c), !a.contains(c));
                }
                assert_eq!(a.len(), (0..128).filter(|&c| a.contains(Char(c))).count() as u64);
            }
        }
    }

    #[test]
    fn complement_of_a_set_beyond_the_alphabet() {
        assert_eq!(set(&[(100, 200)]).complement(Alphabet::Ascii).ranges(), [(0, 99)]);
        assert_eq!(set(&[(200, 300)]).complement(Alphabet::Ascii).ranges(), [(0, 127)]);
    }
}
