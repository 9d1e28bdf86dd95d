//! Sets of characters as sorted, disjoint, inclusive ranges.
//!
//! Ours. The ranges of the representation study (Hooimeijer, *Decision Procedures for String Constraints*,
//! section 3.3, `Range-…`) are hash sets of pairs: [`pairs`](crate::pairs). Here they are kept sorted and
//! disjoint, so that every operation is one merge of two lists: time and space linear in the number of
//! ranges.
//!
//! Invariant: ranges are non-empty, ascend, lie inside the alphabet, and at least one character is missing
//! between any two. So equal sets are equal lists.

use std::rc::Rc;

use backends_api::{Budget, Stop};
use harness_model::{Alphabet, Char};

use crate::counts::OpCounts;
use crate::{BooleanAlgebra, Minterm, MintermWay, minterm};

/// A set of characters as ranges; immutable, cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ranges(Rc<[(u32, u32)]>);

impl Ranges {
    /// The inclusive ranges: sorted, disjoint, not adjacent.
    pub fn as_slice(&self) -> &[(u32, u32)] {
        &self.0
    }
}

/// The algebra of [`Ranges`] over one alphabet. It memoises nothing.
#[derive(Debug)]
pub struct RangeAlgebra {
    alphabet: Alphabet,
    empty: Ranges,
    full: Ranges,
    counts: OpCounts,
}

impl RangeAlgebra {
    /// Over the characters of `alphabet`.
    pub fn new(alphabet: Alphabet) -> Self {
        Self {
            alphabet,
            empty: Ranges(Rc::from([])),
            full: Ranges(Rc::from([(0, alphabet.max().0)])),
            counts: OpCounts::default(),
        }
    }
}

/// Appends `(low, high)`, which starts no earlier than the last range, to a list, keeping the invariant.
#[inline]
fn push(ranges: &mut Vec<(u32, u32)>, low: u32, high: u32) {
    match ranges.last_mut() {
        Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
        _ => ranges.push((low, high)),
    }
}

/// In either list: merges by start.
fn union(a: &[(u32, u32)], b: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i].0 <= b[j].0 {
            push(&mut out, a[i].0, a[i].1);
            i += 1;
        } else {
            push(&mut out, b[j].0, b[j].1);
            j += 1;
        }
    }
    for &(low, high) in a[i..].iter().chain(&b[j..]) {
        push(&mut out, low, high);
    }
    out
}

/// In both lists: the overlaps, found by advancing whichever range ends first.
fn intersection(a: &[(u32, u32)], b: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut out = Vec::with_capacity(a.len().max(b.len()));
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let (low, high) = (a[i].0.max(b[j].0), a[i].1.min(b[j].1));
        if low <= high {
            out.push((low, high));
        }
        if a[i].1 < b[j].1 { i += 1 } else { j += 1 }
    }
    out
}

/// In `a` and not in `b`: each range of `a` loses what overlaps it.
fn difference(a: &[(u32, u32)], b: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let mut j = 0;
    for &(low, high) in a {
        let mut next = low;
        while j < b.len() && b[j].1 < low {
            j += 1;
        }
        // The last overlapping range may reach into the next range of `a`, so it is looked at again there.
        let mut k = j;
        while next <= high && k < b.len() && b[k].0 <= high {
            if next < b[k].0 {
                out.push((next, b[k].0 - 1));
            }
            next = b[k].1.saturating_add(1);
            k += 1;
        }
        if next <= high {
            out.push((next, high));
        }
        j = k.saturating_sub(1).max(j);
    }
    out
}

impl BooleanAlgebra for RangeAlgebra {
    type Set = Ranges;

    const CANONICAL: bool = true;
    const NAME: &'static str = "ranges";

    fn alphabet(&self) -> Alphabet {
        self.alphabet
    }

    fn empty(&self) -> Ranges {
        self.empty.clone()
    }

    fn full(&self) -> Ranges {
        self.full.clone()
    }

    fn of_ranges(&self, ranges: &[(u32, u32)]) -> Result<Ranges, Stop> {
        let max = self.alphabet.max().0;
        let mut out = Vec::with_capacity(ranges.len());
        for &(low, high) in ranges.iter().filter(|&&(low, high)| low <= high && low <= max) {
            push(&mut out, low, high.min(max));
        }
        Ok(Ranges(out.into()))
    }

    fn union(&self, a: &Ranges, b: &Ranges) -> Result<Ranges, Stop> {
        self.counts.set_op();
        Ok(Ranges(union(&a.0, &b.0).into()))
    }

    fn intersection(&self, a: &Ranges, b: &Ranges) -> Result<Ranges, Stop> {
        self.counts.set_op();
        // Automata ask this of one and the same label very often.
        if Rc::ptr_eq(&a.0, &b.0) {
            return Ok(a.clone());
        }
        Ok(Ranges(intersection(&a.0, &b.0).into()))
    }

    fn complement(&self, a: &Ranges) -> Result<Ranges, Stop> {
        self.counts.set_op();
        Ok(Ranges(difference(&self.full.0, &a.0).into()))
    }

    fn difference(&self, a: &Ranges, b: &Ranges) -> Result<Ranges, Stop> {
        self.counts.set_op();
        Ok(Ranges(difference(&a.0, &b.0).into()))
    }

    fn is_empty(&self, a: &Ranges) -> Result<bool, Stop> {
        self.counts.check();
        Ok(a.0.is_empty())
    }

    fn equal(&self, a: &Ranges, b: &Ranges) -> Result<bool, Stop> {
        self.counts.check();
        Ok(a == b)
    }

    fn contains(&self, a: &Ranges, c: Char) -> Result<bool, Stop> {
        let after = a.0.partition_point(|&(low, _)| low <= c.0);
        Ok(after > 0 && a.0[after - 1].1 >= c.0)
    }

    /// The smallest one.
    fn pick(&self, a: &Ranges) -> Result<Option<Char>, Stop> {
        Ok(a.0.first().map(|&(low, _)| Char(low)))
    }

    fn minterms(
        &self,
        sets: &[Ranges],
        way: MintermWay,
        budget: &Budget,
    ) -> Result<Vec<Minterm<Ranges>>, Stop> {
        let minterms = minterm::compute(self, sets, way, budget)?;
        self.counts.minterms(minterms.len());
        Ok(minterms)
    }

    fn forget(&self) {}

    fn counters(&self) -> Vec<(&'static str, u64)> {
        self.counts.list()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_ranges_become_one() {
        assert_eq!(union(&[(0, 3), (8, 9)], &[(4, 5), (7, 7)]), [(0, 5), (7, 9)]);
    }

    #[test]
    fn one_hole_cuts_two_ranges() {
        assert_eq!(difference(&[(0, 5), (7, 9), (11, 12)], &[(4, 8), (12, 20)]), [(0, 3), (9, 9), (11, 11)]);
        assert_eq!(difference(&[(3, 4)], &[(0, u32::MAX)]), []);
    }

    #[test]
    fn ranges_are_cut_to_the_alphabet() {
        let algebra = RangeAlgebra::new(Alphabet::Ascii);
        let set = algebra.of_ranges(&[(100, 120), (121, 200), (300, 400)]);
        assert_eq!(set.map(|s| s.as_slice().to_vec()), Ok(vec![(100, 127)]));
    }
}
