//! The geometric-mean ratio of paired times, with a bootstrap interval.
//!
//! A task is a pair of samples: its times before and after. Its ratio is that of the two medians, and the
//! ratio of a group is the geometric mean over its tasks. The interval is the percentile bootstrap in two
//! stages (Davison and Hinkley, Bootstrap methods and their application, Cambridge 1997, section 3.8): tasks
//! are drawn with replacement, then the repeats within each drawn task. So few tasks with many repeats and
//! many tasks with one repeat each both have an interval that means something; where both vary, it is rather
//! too wide than too narrow.

use harness_stats::quantile;
use harness_stats::sample::count;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The least and the most resamples.
const ROUNDS: (usize, usize) = (200, 2000);

/// The approximate number of draws in all, as far as the least number of resamples allows.
const DRAWS: usize = 2_000_000;

/// The times of a task on both sides, each ascending and not empty, all above 0.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    pub before: Vec<f64>,
    pub after: Vec<f64>,
}

impl Times {
    /// The logarithm of the ratio of medians.
    pub fn log_ratio(&self) -> f64 {
        (middle(&self.after) / middle(&self.before)).ln()
    }
}

/// The median of values in ascending order, of which there is at least one.
pub(crate) fn middle(sorted: &[f64]) -> f64 {
    let upper = sorted[sorted.len() / 2];
    if sorted.len() % 2 == 1 { upper } else { f64::midpoint(sorted[sorted.len() / 2 - 1], upper) }
}

/// Geometric mean of the ratios; `None` of no tasks.
pub(crate) fn ratio(tasks: &[&Times]) -> Option<f64> {
    let sum: f64 = tasks.iter().map(|task| task.log_ratio()).sum();
    (!tasks.is_empty()).then(|| (sum / count(tasks.len())).exp())
}

/// The central interval that holds the ratio with such confidence; `None` where nothing varies: one task with
/// one time on each side. The same seed gives the same interval.
///
/// Cost: 2 million draws, some 10 ms, or 200 times the number of times, whichever is more; a small group
/// costs less.
pub(crate) fn interval(tasks: &[&Times], confidence: f64, seed: u64) -> Option<(f64, f64)> {
    let single = |task: &&Times| task.before.len() == 1 && task.after.len() == 1;
    if tasks.is_empty() || (tasks.len() == 1 && tasks.iter().all(single)) {
        return None;
    }
    let times: usize = tasks.iter().map(|task| task.before.len() + task.after.len()).sum();
    let rounds = (DRAWS / times).clamp(ROUNDS.0, ROUNDS.1);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Where a task has one time on each side, there is nothing to draw within it.
    let fixed: Vec<Option<f64>> = tasks.iter().map(|task| single(task).then(|| task.log_ratio())).collect();
    let mut places = Vec::new();
    let found: Vec<f64> = (0..rounds)
        .map(|_| {
            let mut sum = 0.0;
            for _ in 0..tasks.len() {
                let drawn = below(&mut rng, tasks.len());
                sum += fixed[drawn].unwrap_or_else(|| {
                    let after = resampled_median(&tasks[drawn].after, &mut rng, &mut places);
                    let before = resampled_median(&tasks[drawn].before, &mut rng, &mut places);
                    (after / before).ln()
                });
            }
            sum / count(tasks.len())
        })
        .collect();
    let tail = (1.0 - confidence) / 2.0;
    Some((quantile(&found, tail)?.exp(), quantile(&found, 1.0 - tail)?.exp()))
}

/// The median of as many values drawn with replacement from `sorted`: that of their places, since values are
/// in order.
fn resampled_median(sorted: &[f64], rng: &mut ChaCha8Rng, places: &mut Vec<usize>) -> f64 {
    let n = sorted.len();
    if n == 1 {
        return sorted[0];
    }
    places.clear();
    places.extend((0..n).map(|_| below(rng, n)));
    places.sort_unstable();
    let upper = sorted[places[n / 2]];
    if n % 2 == 1 { upper } else { f64::midpoint(sorted[places[n / 2 - 1]], upper) }
}

/// A number below `n`, by the high half of a product. The bias is below `n / 2^32`, and `n` far below that.
fn below(rng: &mut ChaCha8Rng, n: usize) -> usize {
    let product = u64::from(rng.next_u32()) * n as u64;
    // The high half is below n.
    usize::try_from(product >> 32).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(before: &[f64], after: &[f64]) -> Times {
        Times { before: before.to_vec(), after: after.to_vec() }
    }

    #[test]
    fn the_geometric_mean_of_medians() {
        let tasks = [times(&[1.0, 2.0, 30.0], &[4.0]), times(&[4.0], &[1.0, 3.0])];
        let all: Vec<&Times> = tasks.iter().collect();
        // Ratios 4/2 and 2/4.
        assert!((ratio(&all).unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(ratio(&[]), None);
    }

    #[test]
    fn an_interval_needs_something_that_varies() {
        assert_eq!(interval(&[&times(&[1.0], &[2.0])], 0.95, 1), None);
        assert_eq!(interval(&[], 0.95, 1), None);
        let equal = times(&[1.0; 4], &[2.0; 4]);
        let (low, high) = interval(&[&equal, &equal], 0.95, 1).unwrap();
        assert!((low - 2.0).abs() < 1e-12 && (high - 2.0).abs() < 1e-12);
    }

    #[test]
    fn an_interval_holds_the_ratio_and_is_the_same_again() {
        let tasks: Vec<Times> = (0..30)
            .map(|n| {
                let noise = |k: u32| 1.0 + f64::from((n * 7 + k * 13) % 11) / 100.0;
                let sorted = |factor: f64, from: u32| {
                    let mut values: Vec<f64> = (from..from + 5).map(|k| factor * noise(k)).collect();
                    values.sort_by(f64::total_cmp);
                    values
                };
                Times { before: sorted(1.0, 0), after: sorted(1.2, 5) }
            })
            .collect();
        let all: Vec<&Times> = tasks.iter().collect();
        let (low, high) = interval(&all, 0.95, 7).unwrap();
        let middle = ratio(&all).unwrap();
        assert!(low < middle && middle < high && low > 1.15 && high < 1.25, "{low} {middle} {high}");
        assert_eq!(interval(&all, 0.95, 7), Some((low, high)));
        assert_ne!(interval(&all, 0.95, 8), Some((low, high)));
    }
}
