//! Sets of characters as hash sets of single characters.
//!
//! Source: Hooimeijer, *Decision Procedures for String Constraints*, section 3.3, `Hash-…`: what early string
//! solvers did (figure 3.2). Every operation walks characters one by one, and a complement in a wide alphabet
//! holds nearly all of it. That is what the study measures, so nothing here may become a range.
//!
//! Invariant: members lie inside the alphabet, and `hash` is the sum over them.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use backends_api::{Budget, Stop};
use harness_model::{Alphabet, Char};
use rustc_hash::FxHashSet;

use crate::counts::OpCounts;
use crate::{BooleanAlgebra, Minterm, MintermMethod, minterm};

/// A set of characters one by one; immutable, cheap to clone. Its hash is kept; equality is linear in the
/// size at worst.
#[derive(Clone, Debug)]
pub struct CharHashSet(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    members: FxHashSet<u32>,
    /// The sum of the members' hashes: the same in every order.
    hash: u64,
}

impl CharHashSet {
    fn new(members: FxHashSet<u32>) -> Self {
        let hash = members.iter().fold(0_u64, |sum, &c| sum.wrapping_add(scramble(c)));
        Self(Rc::new(Inner { members, hash }))
    }

    /// Collects with room for exactly what comes. Characters that come out of one table in its order would
    /// pile up in a smaller table that grows, and make this quadratic.
    fn collect(members: &[u32]) -> Self {
        let mut set = FxHashSet::with_capacity_and_hasher(members.len(), rustc_hash::FxBuildHasher);
        set.extend(members);
        Self::new(set)
    }

    /// How many characters.
    pub fn len(&self) -> usize {
        self.0.members.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.members.is_empty()
    }
}

/// Makes close characters far apart, so that sums of few do not coincide (the finaliser of SplitMix64).
fn scramble(c: u32) -> u64 {
    let x = (u64::from(c) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

impl PartialEq for CharHashSet {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || (self.0.hash == other.0.hash && self.0.members == other.0.members)
    }
}

impl Eq for CharHashSet {}

impl Hash for CharHashSet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

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
        let common: Vec<u32> =
            small.0.members.iter().copied().filter(|c| large.0.members.contains(c)).collect();
        CharHashSet::collect(&common)
    }

    fn subtract(a: &CharHashSet, b: &CharHashSet) -> CharHashSet {
        let rest: Vec<u32> = a.0.members.iter().copied().filter(|c| !b.0.members.contains(c)).collect();
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
        let (small, large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
        let mut members = large.0.members.clone();
        members.reserve(small.len());
        members.extend(&small.0.members);
        Ok(CharHashSet::new(members))
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
        Ok(a.0.members.contains(&c.0))
    }

    /// The smallest one, so that it does not depend on the order of a table. Looks at every member.
    fn pick(&self, a: &CharHashSet) -> Result<Option<Char>, Stop> {
        Ok(a.0.members.iter().min().map(|&c| Char(c)))
    }

    fn minterms(
        &self,
        sets: &[CharHashSet],
        method: MintermMethod,
        budget: &Budget,
    ) -> Result<Vec<Minterm<CharHashSet>>, Stop> {
        let minterms = minterm::compute(self, sets, method, budget)?;
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
    fn equality_and_hash_do_not_depend_on_the_history() {
        let algebra = HashSetAlgebra::new(Alphabet::Latin1);
        let built = algebra.of_ranges(&[(3, 5), (200, 255)]).unwrap();
        let computed = algebra.complement(&algebra.complement(&built).unwrap()).unwrap();
        assert_eq!(built, computed);
        assert_eq!(built.0.hash, computed.0.hash);
    }

    #[test]
    fn ranges_are_cut_to_the_alphabet() {
        let algebra = HashSetAlgebra::new(Alphabet::Ascii);
        assert_eq!(algebra.of_ranges(&[(126, 200), (300, u32::MAX)]).unwrap().len(), 2);
    }
}
