//! Sets of characters as hash sets of pairs: the first and the last character of a range.
//!
//! Source: Hooimeijer, *Decision Procedures for String Constraints*, section 3.3, `Range-…`.
//!
//! What the study says, and what is kept here: a set is a hash set of pairs of characters; it offers union,
//! intersection, complement, emptiness and minterms (section 3.2.1); minterms are made by the algorithm of
//! all representations (figure 3.4); in utf16 most of its pairs of automata ran out of time or memory.
//!
//! What the study leaves open, and is ours: how the operations work. A hash set has no order to merge by, so
//! nothing is sorted, joined or made disjoint. A union has the pairs of both sets, so that pairs may overlap
//! or touch. An intersection looks at every pair of one set with every pair of the other one. A complement
//! takes the pairs away one after the other. A set is empty when it has no pair. Sets are equal when neither
//! has a character that the other one has not, for one set can be written in many ways. An automata toolkit
//! that the study's authors published later, *Automata* for .NET, does the same.
//!
//! So an operation takes the product of two numbers of pairs where [`ranges`](crate::ranges) take their sum,
//! and two sets with overlapping pairs may have an intersection with more pairs than both together: at most
//! one for each first and last character among theirs.
//!
//! Invariant: of each pair the first character is no greater than the last, which is in the alphabet.

use backends_api::{Budget, Stop};
use harness_model::{Alphabet, Char};

use crate::counts::OpCounts;
use crate::hashed::HashedSet;
use crate::{BooleanAlgebra, Minterm, MintermWay, minterm};

/// A set of characters as pairs. Equal values denote equal sets, and one set has many values.
pub type PairHashSet = HashedSet<(u32, u32)>;

/// The algebra of [`PairHashSet`]s over one alphabet. It memoises nothing.
#[derive(Debug)]
pub struct PairAlgebra {
    alphabet: Alphabet,
    empty: PairHashSet,
    full: PairHashSet,
    counts: OpCounts,
}

impl PairAlgebra {
    /// Over the characters of `alphabet`.
    pub fn new(alphabet: Alphabet) -> Self {
        Self {
            alphabet,
            empty: PairHashSet::collect(&[]),
            full: PairHashSet::collect(&[(0, alphabet.max().0)]),
            counts: OpCounts::default(),
        }
    }
}

/// In both: what each pair of `a` has in common with each of `b`.
fn intersect(a: &PairHashSet, b: &PairHashSet) -> PairHashSet {
    let mut common = Vec::with_capacity(a.len().max(b.len()));
    for (first, last) in a.iter() {
        for (low, high) in b.iter() {
            let pair = (first.max(low), last.min(high));
            if pair.0 <= pair.1 {
                common.push(pair);
            }
        }
    }
    PairHashSet::collect(&common)
}

/// In `a` and not in `b`: each pair of `b` is taken away from all that is left.
fn subtract(a: &PairHashSet, b: &PairHashSet) -> PairHashSet {
    let mut left: Vec<(u32, u32)> = a.iter().collect();
    let mut next = Vec::with_capacity(left.len() + b.len());
    for (low, high) in b.iter() {
        for &(first, last) in &left {
            if high < first || last < low {
                next.push((first, last));
                continue;
            }
            if first < low {
                next.push((first, low - 1));
            }
            if high < last {
                next.push((high + 1, last));
            }
        }
        std::mem::swap(&mut left, &mut next);
        next.clear();
    }
    PairHashSet::collect(&left)
}

impl BooleanAlgebra for PairAlgebra {
    type Set = PairHashSet;

    const CANONICAL: bool = false;
    const NAME: &'static str = "pairs";

    fn alphabet(&self) -> Alphabet {
        self.alphabet
    }

    fn empty(&self) -> PairHashSet {
        self.empty.clone()
    }

    fn full(&self) -> PairHashSet {
        self.full.clone()
    }

    fn of_ranges(&self, ranges: &[(u32, u32)]) -> Result<PairHashSet, Stop> {
        let max = self.alphabet.max().0;
        let within = ranges.iter().filter(|&&(low, high)| low <= high && low <= max);
        let pairs: Vec<(u32, u32)> = within.map(|&(low, high)| (low, high.min(max))).collect();
        Ok(PairHashSet::collect(&pairs))
    }

    fn union(&self, a: &PairHashSet, b: &PairHashSet) -> Result<PairHashSet, Stop> {
        self.counts.set_op();
        Ok(a.union(b))
    }

    fn intersection(&self, a: &PairHashSet, b: &PairHashSet) -> Result<PairHashSet, Stop> {
        self.counts.set_op();
        Ok(intersect(a, b))
    }

    fn complement(&self, a: &PairHashSet) -> Result<PairHashSet, Stop> {
        self.counts.set_op();
        Ok(subtract(&self.full, a))
    }

    fn difference(&self, a: &PairHashSet, b: &PairHashSet) -> Result<PairHashSet, Stop> {
        self.counts.set_op();
        Ok(subtract(a, b))
    }

    fn is_empty(&self, a: &PairHashSet) -> Result<bool, Stop> {
        self.counts.check();
        Ok(a.is_empty())
    }

    /// Two differences, unless the values are equal.
    fn equal(&self, a: &PairHashSet, b: &PairHashSet) -> Result<bool, Stop> {
        self.counts.check();
        Ok(a == b || (subtract(a, b).is_empty() && subtract(b, a).is_empty()))
    }

    fn contains(&self, a: &PairHashSet, c: Char) -> Result<bool, Stop> {
        Ok(a.iter().any(|(first, last)| (first..=last).contains(&c.0)))
    }

    /// The smallest one, so that it does not depend on the order of a table. Looks at every pair.
    fn pick(&self, a: &PairHashSet) -> Result<Option<Char>, Stop> {
        Ok(a.iter().map(|(first, _)| Char(first)).min())
    }

    fn minterms(
        &self,
        sets: &[PairHashSet],
        way: MintermWay,
        budget: &Budget,
    ) -> Result<Vec<Minterm<PairHashSet>>, Stop> {
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

    fn algebra() -> PairAlgebra {
        PairAlgebra::new(Alphabet::Ascii)
    }

    fn sorted(set: &PairHashSet) -> Vec<(u32, u32)> {
        let mut pairs: Vec<(u32, u32)> = set.iter().collect();
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn a_union_keeps_the_pairs_of_both() {
        let algebra = algebra();
        let (a, b) = (algebra.of_ranges(&[(0, 5)]).unwrap(), algebra.of_ranges(&[(3, 9), (10, 12)]).unwrap());
        assert_eq!(sorted(&algebra.union(&a, &b).unwrap()), [(0, 5), (3, 9), (10, 12)]);
    }

    #[test]
    fn one_set_is_written_in_many_ways() {
        let algebra = algebra();
        let whole = algebra.of_ranges(&[(3, 9)]).unwrap();
        let overlapping = PairHashSet::collect(&[(3, 6), (5, 9)]);
        let touching = PairHashSet::collect(&[(3, 4), (5, 9)]);
        let smaller = PairHashSet::collect(&[(3, 4), (6, 9)]);
        for other in [&overlapping, &touching] {
            assert_ne!(whole, *other);
            assert_eq!(algebra.equal(&whole, other), Ok(true));
        }
        assert_eq!(algebra.equal(&whole, &smaller), Ok(false));
        assert_eq!(algebra.equal(&smaller, &whole), Ok(false));
    }

    #[test]
    fn overlapping_pairs_multiply_and_a_complement_ends_that() {
        let overlapping = PairHashSet::collect(&[(0, 5), (3, 9)]);
        assert_eq!(sorted(&intersect(&overlapping, &overlapping)), [(0, 5), (3, 5), (3, 9)]);
        assert_eq!(sorted(&algebra().complement(&overlapping).unwrap()), [(10, 127)]);
    }

    #[test]
    fn a_pair_is_cut_on_both_sides() {
        let (a, b) = (PairHashSet::collect(&[(0, 9), (20, 29)]), PairHashSet::collect(&[(3, 4), (8, 22)]));
        assert_eq!(sorted(&subtract(&a, &b)), [(0, 2), (5, 7), (23, 29)]);
    }

    #[test]
    fn ranges_are_cut_to_the_alphabet() {
        let set = algebra().of_ranges(&[(100, 120), (121, 200), (300, 400)]).unwrap();
        assert_eq!(sorted(&set), [(100, 120), (121, 127)]);
    }
}
