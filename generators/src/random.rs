//! Random numbers that are the same on every platform: ChaCha with 8 rounds, a stream for each task, numbers
//! below a limit by widening multiplication. Nothing here depends on the width of a pointer.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A source of random numbers.
pub(crate) struct Random(ChaCha8Rng);

impl Random {
    /// The stream `stream` of `seed`: tasks do not change when others are added.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Self(rng)
    }

    /// A number below `limit`; 0 when `limit` is 0. The bias is below 2^-32 times the limit.
    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        let wide = u64::from(self.0.next_u32()) * u64::from(limit);
        u32::try_from(wide >> 32).unwrap_or(0)
    }

    /// An index into `weights`, each as likely as its weight; the last one when all are 0.
    pub(crate) fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (index, &weight) in weights.iter().enumerate() {
            if left < weight {
                return index;
            }
            left -= weight;
        }
        weights.len().saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_pinned() {
        let mut random = Random::new(7, 0);
        let numbers: Vec<u32> = (0..6).map(|_| random.below(100)).collect();
        assert_eq!(numbers, PINNED);
    }

    const PINNED: [u32; 6] = [14, 15, 18, 16, 27, 70];

    #[test]
    fn weights_count() {
        let mut random = Random::new(1, 2);
        let mut seen = [0; 3];
        for _ in 0..1000 {
            seen[random.weighted(&[8, 0, 2])] += 1;
        }
        assert!(seen[1] == 0 && seen[0] > 700 && seen[2] > 100, "{seen:?}");
    }
}
