//! Hash sets that keep their own hash: what the sets of `hashset` and of `pairs` rest upon, so that the two
//! differ in their members alone.
//!
//! Invariant: `hash` is the sum over the members, so that it does not depend on the order of a table.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashSet};

/// What a hash set can hold.
pub trait Member: Copy + Debug + Eq + Hash {
    /// A number that no other member of the same type has.
    fn code(self) -> u64;
}

/// A character.
impl Member for u32 {
    fn code(self) -> u64 {
        u64::from(self)
    }
}

/// A pair of characters.
impl Member for (u32, u32) {
    fn code(self) -> u64 {
        u64::from(self.0) << 32 | u64::from(self.1)
    }
}

/// A hash set; immutable, cheap to clone. Its hash is kept; equality is linear in the size at worst.
#[derive(Clone, Debug)]
pub struct HashedSet<T>(Rc<Inner<T>>);

#[derive(Debug)]
struct Inner<T> {
    members: FxHashSet<T>,
    hash: u64,
}

impl<T: Member> HashedSet<T> {
    /// Of a table.
    pub(crate) fn new(members: FxHashSet<T>) -> Self {
        let hash = members.iter().fold(0_u64, |sum, member| sum.wrapping_add(scramble(member.code())));
        Self(Rc::new(Inner { members, hash }))
    }

    /// Collects with room for all that comes. Members that come out of one table in its order would pile up
    /// in a smaller table that grows, and make this quadratic.
    pub(crate) fn collect(members: &[T]) -> Self {
        let mut set = FxHashSet::with_capacity_and_hasher(members.len(), FxBuildHasher);
        set.extend(members);
        Self::new(set)
    }

    /// What is in either.
    pub(crate) fn union(&self, other: &Self) -> Self {
        let (small, large) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        let mut members = large.0.members.clone();
        members.reserve(small.len());
        members.extend(&small.0.members);
        Self::new(members)
    }

    /// The members, in no order.
    pub fn iter(&self) -> impl Iterator<Item = T> {
        self.0.members.iter().copied()
    }

    /// Whether it is a member.
    pub fn contains(&self, member: T) -> bool {
        self.0.members.contains(&member)
    }

    /// How many members.
    pub fn len(&self) -> usize {
        self.0.members.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.members.is_empty()
    }
}

/// Makes close numbers far apart, so that sums of few do not coincide (the finaliser of SplitMix64).
fn scramble(code: u64) -> u64 {
    let x = code.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

impl<T: Member> PartialEq for HashedSet<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || (self.0.hash == other.0.hash && self.0.members == other.0.members)
    }
}

impl<T: Member> Eq for HashedSet<T> {}

impl<T: Member> Hash for HashedSet<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_and_hash_do_not_depend_on_the_history() {
        let there: Vec<(u32, u32)> = (0..100).map(|c| (c, c + 1)).collect();
        let back: Vec<(u32, u32)> = there.iter().rev().copied().collect();
        let (one, half) = (HashedSet::collect(&there), HashedSet::collect(&back[..50]));
        let other = half.union(&HashedSet::collect(&back[20..]));
        assert_eq!(one, other);
        assert_eq!(one.0.hash, other.0.hash);
        assert_ne!(one, half);
    }

    #[test]
    fn a_pair_is_not_its_reverse() {
        assert_ne!(HashedSet::collect(&[(1, 2)]), HashedSet::collect(&[(2, 1)]));
    }
}
