//! Sets of characters as hash sets of single characters.
//!
//! Source: Hooimeijer, *Decision Procedures for String Constraints*, section 3.3, `Hash-…`: what early string
//! solvers did (figure 3.2). Every operation walks characters one by one, and a complement in a wide alphabet
//! holds nearly all of it. That is what the study measures, so nothing here may become a range.
//!
//! Invariant: members lie inside the alphabet.

use backends_api::{Budget, Stop};
use harness_model::{Alphabet, Char};

use crate::counts::OpCounts;
use crate::hashed::HashedSet;
use crate::{BooleanAlgebra, Minterm, MintermWay, minterm};

/// A set of characters one by one.
pub type CharHashSet = HashedSet<u32>;

/// The algebra of [`CharHashSet`]s over one alphabet. It memoises nothing; the full set is built once.
#[derive(Debug)]
pub struct HashSetAlgebra {
    alphabet: Alphabet,
    empty: CharHashSet,
    full: CharHashSet,
    counts: OpCounts,
}

impl HashSetAlgebra {
    /// Over the characters of `alphabet`; enters all of them into a set.
    pub fn new(alphabet: Alphabet) -> Self {
        let all: Vec<u32> = (0..alphabet.size()).collect();
        Self {
            alphabet,
            empty: CharHashSet::collect(&[]),
            full: CharHashSet::collect(&all),
            counts: OpCounts::default(),
        }
    }

    fn intersect(a: &CharHashSet, b: &CharHashSet) -> CharHashSet {
        let (small, large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        let common: Vec<u32> = small.iter().filter(|&c| large.contains(c)).collect();
        CharHashSet::collect(&common)
    }

    fn subtract(a: &CharHashSet, b: &CharHashSet) -> CharHashSet {
        let rest: Vec<u32> = a.iter().filter(|&c| !b.contains(c)).collect();
        CharHashSet::collect(&rest)
    }
}

impl BooleanAlgebra for HashSetAlgebra {
    type Set = CharHashSet;

    const CANONICAL: bool = true;
    const NAME: &'static str = "hashset";

    fn alphabet(&self) -> Alphabet {
        self.alphabet
    }

    fn empty(&self) -> CharHashSet {
        self.empty.clone()
    }

    fn full(&self) -> CharHashSet {
        self.full.clone()
    }

    fn of_ranges(&self, ranges: &[(u32, u32)]) -> Result<CharHashSet, Stop> {
        let max = self.alphabet.max().0;
        let members: Vec<u32> = ranges.iter().flat_map(|&(low, high)| low..=high.min(max)).collect();
        Ok(CharHashSet::collect(&members))
    }

    fn union(&self, a: &CharHashSet, b: &CharHashSet) -> Result<CharHashSet, Stop> {
        self.counts.set_op();
        Ok(a.union(b))
    }

    fn intersection(&self, a: &CharHashSet, b: &CharHashSet) -> Result<CharHashSet, Stop> {
        self.counts.set_op();
        Ok(Self::intersect(a, b))
    }

    fn complement(&self, a: &CharHashSet) -> Result<CharHashSet, Stop> {
        self.counts.set_op();
        Ok(Self::subtract(&self.full, a))
    }

    fn difference(&self, a: &CharHashSet, b: &CharHashSet) -> Result<CharHashSet, Stop> {
        self.counts.set_op();
        Ok(Self::subtract(a, b))
    }

    fn is_empty(&self, a: &CharHashSet) -> Result<bool, Stop> {
        self.counts.check();
        Ok(a.is_empty())
    }

    fn equal(&self, a: &CharHashSet, b: &CharHashSet) -> Result<bool, Stop> {
        self.counts.check();
        Ok(a == b)
    }

    fn contains(&self, a: &CharHashSet, c: Char) -> Result<bool, Stop> {
        Ok(a.contains(c.0))
    }

    /// The smallest one, so that it does not depend on the order of a table. Looks at every member.
    fn pick(&self, a: &CharHashSet) -> Result<Option<Char>, Stop> {
        Ok(a.iter().min().map(Char))
    }

    fn minterms(
        &self,
        sets: &[CharHashSet],
        way: MintermWay,
        budget: &Budget,
    ) -> Result<Vec<Minterm<CharHashSet>>, Stop> {
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
    fn equal_sets_are_equal_values() {
        let algebra = HashSetAlgebra::new(Alphabet::Latin1);
        let built = algebra.of_ranges(&[(3, 5), (200, 255)]).unwrap();
        let computed = algebra.complement(&algebra.complement(&built).unwrap()).unwrap();
        assert_eq!(built, computed);
    }

    #[test]
    fn ranges_are_cut_to_the_alphabet() {
        let algebra = HashSetAlgebra::new(Alphabet::Ascii);
        assert_eq!(algebra.of_ranges(&[(126, 200), (300, u32::MAX)]).unwrap().len(), 2);
    }
}
