//! The pairs of states that a search has visited.
//!
//! A row of bits for each right state that was touched, a bit for each left state; a hash set instead where a
//! row would be long. So the memory is in proportion to what was visited, not to what exists.

use backends_api::Stop;
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
/// Half a GiB of bits.
const WORD_LIMIT: usize = 1 << 26;
/// Pairs in a hash set.
const HASH_LIMIT: usize = 1 << 25;

/// A set of pairs.
#[derive(Debug)]
pub struct PairSet {
    row_words: usize,
    /// The row of a right state, plus one; 0: none yet.
    row_of: Vec<u32>,
    rows: Vec<u64>,
    hashed: Option<FxHashSet<Pair>>,
    len: u64,
}

impl PairSet {
    /// Of pairs whose left state is one of `left_states`, and whose right state is probably one of
    /// `right_states`.
    pub fn new(left_states: u32, right_states: u32) -> Self {
        let dense = left_states <= DENSE_LIMIT;
        Self {
            row_words: left_states.div_ceil(64) as usize,
            row_of: vec![0; if dense { right_states as usize } else { 0 }],
            rows: Vec::new(),
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
        let word = &mut self.rows[row * self.row_words + pair.left as usize / 64];
        let bit = 1u64 << (pair.left % 64);
        let new = *word & bit == 0;
        *word |= bit;
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
        if self.rows.len() + self.row_words > WORD_LIMIT {
            let limit = WORD_LIMIT as u64 * 64;
            return Err(Stop::Size { what: "the search", limit, unit: "possible pairs of states" });
        }
        if right >= self.row_of.len() {
            self.row_of.resize((right + 1).next_power_of_two(), 0);
        }
        let row = self.rows.len() / self.row_words.max(1);
        self.rows.resize(self.rows.len() + self.row_words, 0);
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
