//! Sets of small numbers: the assertions, edges or decisions that something depends on.

/// A set of small numbers that name facts; what each number stands for is the user's to say.
#[derive(Clone, Debug, Default)]
pub struct Reasons(Vec<u64>);

impl PartialEq for Reasons {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Reasons {}

impl Reasons {
    /// Nothing.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// One number.
    pub fn of(number: usize) -> Self {
        let mut this = Self::new();
        this.insert(number);
        this
    }

    /// Whether there is no number in it.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// All numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.below(usize::MAX)
    }

    /// Adds a number.
    pub fn insert(&mut self, number: usize) {
        let word = number / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    /// Takes a number out; whether it was in.
    pub fn remove(&mut self, number: usize) -> bool {
        let was = self.contains(number);
        if was {
            self.0[number / 64] &= !(1 << (number % 64));
        }
        was
    }

    /// Whether the number is in it.
    pub fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Adds all of `other`.
    pub fn extend(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }

    /// The numbers below `end`, ascending.
    pub fn below(&self, end: usize) -> impl Iterator<Item = usize> + '_ {
        (0..end.min(self.0.len().saturating_mul(64))).filter(|&number| self.contains(number))
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
        assert!(b.remove(64) && !b.remove(64) && !b.contains(64) && !a.contains(64));
    }
}
