//! Intervals by resampling: the percentile bootstrap of Efron and Tibshirani, An introduction to the
//! bootstrap, Chapman and Hall 1993, section 13.3.
//!
//! Resamples are drawn by ChaCha8 from a seed, so that an interval is the same whenever and wherever it is
//! computed.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::sample::quantile;

/// From where to where a statistic lies with the confidence that was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The central interval that holds the share `confidence` of `statistic` over `rounds` resamples of `items`,
/// each as many items drawn with replacement. Resamples of which the statistic is `None` do not count.
///
/// `None` of fewer than two items: one item tells nothing of the others. Cost: `rounds` times the statistic.
pub fn bootstrap<T: Clone>(
    items: &[T],
    statistic: impl Fn(&[T]) -> Option<f64>,
    confidence: f64,
    rounds: usize,
    seed: u64,
) -> Option<Interval> {
    if items.len() < 2 {
        return None;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut resample = Vec::with_capacity(items.len());
    let mut found = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        resample.clear();
        resample.extend((0..items.len()).map(|_| items[below(&mut rng, items.len())].clone()));
        found.extend(statistic(&resample));
    }
    let tail = (1.0 - confidence) / 2.0;
    Some(Interval { low: quantile(&found, tail)?, high: quantile(&found, 1.0 - tail)? })
}

/// A number below `n`, by the high half of a product. The bias is below `n / 2^64`.
fn below(rng: &mut ChaCha8Rng, n: usize) -> usize {
    let product = u128::from(rng.next_u64()) * n as u128;
    #[expect(clippy::cast_possible_truncation, reason = "the high half is below n")]
    let index = (product >> 64) as usize;
    index
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{mean, median};

    #[test]
    fn equal_items_give_no_width() {
        let interval = bootstrap(&[0.25; 8], median, 0.95, 200, 1).unwrap();
        assert_eq!(interval, Interval { low: 0.25, high: 0.25 });
    }

    #[test]
    fn holds_the_mean_and_is_the_same_again() {
        let values: Vec<f64> = (0..40).map(f64::from).collect();
        let interval = bootstrap(&values, mean, 0.95, 500, 7).unwrap();
        assert!(interval.low < 19.5 && 19.5 < interval.high, "{interval:?}");
        // The standard error of this mean is 1.85; a 95 % interval is about four of them wide.
        assert!((5.0..10.0).contains(&(interval.high - interval.low)), "{interval:?}");
        assert_eq!(bootstrap(&values, mean, 0.95, 500, 7), Some(interval));
        assert_ne!(bootstrap(&values, mean, 0.95, 500, 8), Some(interval));
    }

    #[test]
    fn one_item_has_no_interval() {
        assert_eq!(bootstrap(&[1.0], mean, 0.95, 100, 1), None);
    }
}
