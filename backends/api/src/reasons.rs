//! Sets of small numbers: the assertions, edges or decisions that something depends on.

use fixedbitset::FixedBitSet;

/// A set of small numbers that name facts; what each number stands for is the user's to say.
#[derive(Clone, Debug, Default)]
pub struct Reasons(FixedBitSet);

impl PartialEq for Reasons {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Reasons {}

impl Reasons {
    /// Nothing.
    pub const fn new() -> Self {
        Self(FixedBitSet::new())
    }

    /// One number.
    pub fn of(number: usize) -> Self {
        let mut this = Self::new();
        this.insert(number);
        this
    }

    /// Whether there is no number in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_clear()
    }

    /// All numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.ones()
    }

    /// Adds a number.
    pub fn insert(&mut self, number: usize) {
        self.0.grow_and_insert(number);
    }

    /// Takes a number out; whether it was in.
    pub fn remove(&mut self, number: usize) -> bool {
        let was = self.contains(number);
        if was {
            self.0.remove(number);
        }
        was
    }

    /// Whether the number is in it.
    pub fn contains(&self, number: usize) -> bool {
        self.0.contains(number)
    }

    /// Adds all of `other`.
    pub fn extend(&mut self, other: &Self) {
        self.0.union_with(&other.0);
    }

    /// The numbers below `end`, ascending.
    pub fn below(&self, end: usize) -> impl Iterator<Item = usize> + '_ {
        self.0.ones().take_while(move |&number| number < end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets() {
        let mut a = Reasons::new();
        a.insert(3);
        a.insert(200);
        let mut b = Reasons::new();
        b.insert(64);
        b.extend(&a);
        assert_eq!(b.below(200).collect::<Vec<_>>(), [3, 64]);
        assert_eq!(b.below(1000).collect::<Vec<_>>(), [3, 64, 200]);
        // Equal sets need not have grown alike.
        let mut grown = Reasons::of(500);
        assert!(grown.remove(500) && grown == Reasons::new() && grown.is_empty());
        assert!(b.remove(64) && !b.remove(64) && !b.contains(64) && !a.contains(64));
    }
}
