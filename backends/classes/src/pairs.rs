//! The pairs of states that a search has visited.
//!
//! A row of bits for each right state that was touched, a bit for each left state; a hash set instead where a
//! row would be long. So the memory is in proportion to what was visited, not to what exists.

use backends_api::Stop;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use crate::partition::index;

/// A state of the left and a state of the right automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    /// Left.
    pub left: u32,
    /// Right.
    pub right: u32,
}

/// Left automata with more states than this get a hash set.
const DENSE_LIMIT: u32 = 4096;
/// Half a GiB.
const BIT_LIMIT: usize = 1 << 32;
/// Pairs in a hash set.
const HASH_LIMIT: usize = 1 << 25;

/// A set of pairs.
#[derive(Debug)]
pub struct PairSet {
    /// A multiple of 64.
    row_bits: usize,
    /// The row of a right state, plus one; 0: none yet.
    row_of: Vec<u32>,
    rows: FixedBitSet,
    hashed: Option<FxHashSet<Pair>>,
    len: u64,
}

impl PairSet {
    /// Of pairs whose left state is one of `left_states`, and whose right state is probably one of
    /// `right_states`.
    pub fn new(left_states: u32, right_states: u32) -> Self {
        let dense = left_states <= DENSE_LIMIT;
        Self {
            row_bits: left_states.div_ceil(64) as usize * 64,
            row_of: vec![0; if dense { right_states as usize } else { 0 }],
            rows: FixedBitSet::new(),
            hashed: (!dense).then(FxHashSet::default),
            len: 0,
        }
    }

    /// Adds a pair; whether it is new. Fails when half a GiB would not do.
    #[inline]
    pub fn insert(&mut self, pair: Pair) -> Result<bool, Stop> {
        if self.hashed.is_some() {
            return self.insert_hashed(pair);
        }
        let right = pair.right as usize;
        let row = match self.row_of.get(right) {
            Some(&row) if row != 0 => row as usize - 1,
            _ => self.add_row(right)?,
        };
        let new = !self.rows.put(row * self.row_bits + pair.left as usize);
        self.len += u64::from(new);
        Ok(new)
    }

    #[cold]
    fn insert_hashed(&mut self, pair: Pair) -> Result<bool, Stop> {
        let Some(set) = &mut self.hashed else { return Ok(false) };
        if set.len() >= HASH_LIMIT {
            return Err(Stop::Size { what: "the search", limit: HASH_LIMIT as u64, unit: "pairs of states" });
        }
        let new = set.insert(pair);
        self.len += u64::from(new);
        Ok(new)
    }

    fn add_row(&mut self, right: usize) -> Result<usize, Stop> {
        if self.rows.len() + self.row_bits > BIT_LIMIT {
            let limit = BIT_LIMIT as u64;
            return Err(Stop::Size { what: "the search", limit, unit: "possible pairs of states" });
        }
        if right >= self.row_of.len() {
            self.row_of.resize((right + 1).next_power_of_two(), 0);
        }
        let row = self.rows.len() / self.row_bits.max(1);
        self.rows.grow(self.rows.len() + self.row_bits);
        self.row_of[right] = index(row + 1);
        Ok(row)
    }

    /// How many pairs.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_hashed_agree() {
        let mut dense = PairSet::new(300, 2);
        let mut hashed = PairSet::new(DENSE_LIMIT + 1, 2);
        let mut x = 1u32;
        for _ in 0..5000 {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let pair = Pair { left: (x >> 8) % 300, right: (x >> 20) % 50 };
            assert_eq!(dense.insert(pair), hashed.insert(pair));
        }
        assert_eq!(dense.len(), hashed.len());
        assert!(dense.len() > 1000 && dense.len() < 5000);
    }
}
