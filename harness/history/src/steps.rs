//! Where a series takes a step that is not noise.
//!
//! Binary segmentation: the whole series is looked at, and where it has a step, its two sides are looked at
//! in the same way (Scott and Knott, A cluster analysis method for grouping means in the analysis of
//! variance, Biometrics 30 (1974)). A step is looked for as in Matteson and James, A nonparametric approach
//! for multiple change point analysis of multivariate data, Journal of the American Statistical Association
//! 109 (2014), sections 2.2 to 2.4: of all places and all ends of the part after it, the one where the parts
//! differ most, so that a step up and one down again do not hide each other; it is believed when not more
//! than the share `alpha` of random orders of the same values has one as large. Parts are compared by the
//! means of their logarithms, weighed by the parts' sizes. Before that, logarithms that are further from the
//! median than six standard deviations are moved there, so that an outlier weighs no more than any other
//! large difference. (Ranks would do the same, but cannot tell three values after a step from three that
//! happen to be the largest.)
//!
//! In a random order, values do not depend on their neighbours. Those of a machine that is slow for days do:
//! such a slowness is a step here, and should be one for the reader.

use harness_stats::{mad, median, sample::count};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The most values looked at, the last ones of a longer series: the cost grows with the square.
pub const MOST: usize = 400;

/// How far from the median a value counts in full, in standard deviations as the median absolute deviation
/// estimates them.
const FAR: f64 = 6.0;

/// When a step is believed.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The chance that a series without a step shows one.
    pub alpha: f64,
    /// Values on each side of a step, at least 1.
    pub least: usize,
    /// The factor between the medians of both sides, up or down; smaller steps do not matter.
    pub ratio: f64,
    /// Random orders that a step is compared with; the chance is known to one part in this number.
    pub rounds: u32,
    /// From which the orders are drawn.
    pub seed: u64,
}

impl Default for Rule {
    /// At least ten values are needed for a step in the middle, and for one near the end, three after it and
    /// about twenty before.
    fn default() -> Self {
        Self { alpha: 0.01, least: 3, ratio: 1.05, rounds: 999, seed: 1 }
    }
}

/// A step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The first value after it, from 0.
    pub at: usize,
    /// Median from the step before it, or the beginning, to here.
    pub before: f64,
    /// Median from here to the next step, or the end.
    pub after: f64,
    /// Share of random orders with a step as large, at least one in `rounds + 1`.
    pub p: f64,
}

impl Step {
    /// How many times as large it is after the step.
    pub fn ratio(&self) -> f64 {
        self.after / self.before
    }
}

/// The steps of `values`, from first to last; none when a value is not above 0 and finite.
///
/// Cost: `rounds` times the square of the number of values; some 10 ms for 100 values with steps, less
/// without.
pub fn steps(values: &[f64], rule: &Rule) -> Vec<Step> {
    if values.iter().any(|value| !value.is_finite() || *value <= 0.0) {
        return Vec::new();
    }
    let skipped = values.len().saturating_sub(MOST);
    let values = &values[skipped..];
    let mut rng = ChaCha8Rng::seed_from_u64(rule.seed);
    let mut found: Vec<(usize, f64)> = Vec::new();
    let mut parts = vec![(0, values.len())];
    while let Some((from, to)) = parts.pop() {
        if let Some((at, p)) = step(&values[from..to], rule, &mut rng) {
            found.push((from + at, p));
            parts.push((from, from + at));
            parts.push((from + at, to));
        }
    }
    found.sort_by_key(|(at, _)| *at);
    without_small_ones(values, found, rule.ratio)
        .into_iter()
        .map(|step| Step { at: step.at + skipped, ..step })
        .collect()
}

/// The largest step of a part, if it is believed: the first value after it, and its chance.
fn step(values: &[f64], rule: &Rule, rng: &mut ChaCha8Rng) -> Option<(usize, f64)> {
    let mut scores = scores(values)?;
    let (at, height) = highest(&scores, rule.least.max(1))?;
    // Not a hair below the height that was found, which rounding could hide.
    let height = height * (1.0 - 1e-9);
    let believed = rule.alpha * f64::from(rule.rounds.saturating_add(1));
    let mut as_large = 1_u32;
    for _ in 0..rule.rounds {
        shuffle(&mut scores, rng);
        if highest(&scores, rule.least.max(1)).is_some_and(|(_, other)| other >= height) {
            as_large += 1;
        }
        // It cannot get better any more.
        if f64::from(as_large) > believed {
            return None;
        }
    }
    Some((at, f64::from(as_large) / f64::from(rule.rounds.saturating_add(1))))
}

/// Logarithms as distances from their median in usual distances, none further than [`FAR`]. `None` of no
/// values.
fn scores(values: &[f64]) -> Option<Vec<f64>> {
    let logs: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    let centre = median(&logs)?;
    // Of a normal distribution, 1.4826 median absolute deviations are a standard deviation. Where more than
    // half of the values are equal, every other one is far away.
    let usual = (1.4826 * mad(&logs)?).max(1e-12);
    Some(logs.iter().map(|log| ((log - centre) / usual).clamp(-FAR, FAR)).collect())
}

/// Where the means before and after differ most, over all ends of the part after, and how much. `None` when
/// there are too few values or all are equal.
fn highest(scores: &[f64], least: usize) -> Option<(usize, f64)> {
    let mut sums = Vec::with_capacity(scores.len() + 1);
    let mut sum = 0.0;
    sums.push(sum);
    for score in scores {
        sum += score;
        sums.push(sum);
    }
    let mut best = None;
    let mut most = 0.0;
    for at in least..=scores.len().saturating_sub(least) {
        let (n, before) = (count(at), sums[at] / count(at));
        for end in at + least..=scores.len() {
            let m = count(end - at);
            let distance = (sums[end] - sums[at]) / m - before;
            let height = distance * distance * n * m / (n + m);
            if height > most {
                most = height;
                best = Some((at, height));
            }
        }
    }
    best
}

/// A random order: Durstenfeld, Algorithm 235, Communications of the ACM 7 (1964).
fn shuffle(values: &mut [f64], rng: &mut ChaCha8Rng) {
    for last in (1..values.len()).rev() {
        let product = u128::from(rng.next_u64()) * (last as u128 + 1);
        #[expect(clippy::cast_possible_truncation, reason = "the high half is at most 'last'")]
        let other = (product >> 64) as usize;
        values.swap(last, other);
    }
}

/// Leaves out steps that do not matter, the smallest first, since what is left of its sides is one side then.
fn without_small_ones(values: &[f64], mut found: Vec<(usize, f64)>, ratio: f64) -> Vec<Step> {
    loop {
        let edges: Vec<usize> =
            [0].into_iter().chain(found.iter().map(|(at, _)| *at)).chain([values.len()]).collect();
        let level = |part: &[usize]| median(&values[part[0]..part[1]]).unwrap_or(1.0);
        let levels: Vec<f64> = edges.windows(2).map(level).collect();
        let steps: Vec<Step> = found
            .iter()
            .zip(levels.windows(2))
            .map(|(&(at, p), sides)| Step { at, before: sides[0], after: sides[1], p })
            .collect();
        let height = |step: &Step| step.ratio().ln().abs();
        let smallest = (0..steps.len()).min_by(|&i, &j| height(&steps[i]).total_cmp(&height(&steps[j])));
        match smallest {
            Some(i) if height(&steps[i]) < ratio.ln() => drop(found.remove(i)),
            _ => return steps,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Values around the levels of `parts`, each with its number of values and the spread `noise`, made from
    /// a seed.
    fn series(parts: &[(usize, f64)], noise: f64, seed: u64) -> Vec<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut uniform = || f64::from(rng.next_u32()) / f64::from(u32::MAX) - 0.5;
        let mut values = Vec::new();
        for &(n, level) in parts {
            // The sum of four is near enough to a normal distribution, with a standard deviation of 0.577.
            values.extend((0..n).map(|_| {
                let sum = uniform() + uniform() + uniform() + uniform();
                level * (noise * sum / 0.577).exp()
            }));
        }
        values
    }

    #[test]
    fn a_step_up_and_down_again() {
        let values = series(&[(12, 1.0), (8, 1.3), (12, 1.0)], 0.02, 3);
        let found = steps(&values, &Rule::default());
        assert_eq!(found.iter().map(|step| step.at).collect::<Vec<_>>(), [12, 20], "{found:?}");
        assert!((found[0].ratio() - 1.3).abs() < 0.05, "{found:?}");
        assert_eq!(steps(&values, &Rule::default()), found, "the same again");
    }

    #[test]
    fn noise_rarely_has_steps() {
        // One in a hundred is what is promised; of 300 series more than ten have a chance of one in a
        // thousand.
        let rule = Rule { rounds: 199, ..Rule::default() };
        let wrong = (0..300).filter(|&seed| !steps(&series(&[(40, 1.0)], 0.2, seed), &rule).is_empty());
        assert!(wrong.count() <= 10);
    }

    #[test]
    fn outliers_are_no_steps() {
        let mut values = series(&[(40, 1.0)], 0.02, 5);
        values[11] = 90.0;
        values[30] = 0.01;
        assert_eq!(steps(&values, &Rule::default()), []);
    }

    #[test]
    fn a_step_that_does_not_matter_is_left_out() {
        let values = series(&[(20, 1.0), (20, 1.03)], 0.001, 5);
        assert_eq!(steps(&values, &Rule::default()), []);
        let sharp = Rule { ratio: 1.02, ..Rule::default() };
        assert_eq!(steps(&values, &sharp).len(), 1);
    }

    #[test]
    fn few_or_odd_values() {
        let rule = Rule::default();
        for values in [&[][..], &[1.0], &[1.0, 9.0], &[2.0; 50], &[1.0, f64::NAN, 3.0], &[0.0; 20]] {
            assert_eq!(steps(values, &rule), [], "{values:?}");
        }
        // Four before and four after could be chance: two of 70 orders are as good.
        assert_eq!(steps(&series(&[(4, 1.0), (4, 2.0)], 0.01, 1), &rule), []);
        assert_eq!(steps(&series(&[(20, 1.0), (3, 2.0)], 0.01, 1), &rule).len(), 1);
    }

    #[test]
    fn of_a_long_series_the_end_is_looked_at() {
        let mut values = series(&[(30, 5.0)], 0.01, 1);
        values.extend(series(&[(MOST - 50, 1.0), (50, 2.0)], 0.01, 2));
        let rule = Rule { rounds: 199, ..Rule::default() };
        let found = steps(&values, &rule);
        assert_eq!(found.iter().map(|step| step.at).collect::<Vec<_>>(), [30 + MOST - 50]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn a_planted_step_is_found(
            before in 8_usize..30,
            after in 8_usize..30,
            factor in prop_oneof![0.3_f64..0.85, 1.18_f64..4.0],
            seed in any::<u64>(),
        ) {
            let values = series(&[(before, 0.002), (after, 0.002 * factor)], 0.02, seed);
            let found = steps(&values, &Rule::default());
            // Noise inside of a part may add another one, in one of a hundred parts.
            let near = found.iter().find(|step| step.at.abs_diff(before) <= 1);
            prop_assert!(near.is_some(), "{found:?}");
            prop_assert!(found.len() <= 3);
            prop_assert!(near.is_some_and(|step| (step.ratio() > 1.0) == (factor > 1.0) && step.p <= 0.01));
        }

        #[test]
        fn neither_scale_nor_direction_matters(
            parts in proptest::collection::vec((3_usize..9, 1.0_f64..3.0), 1..5),
            seed in any::<u64>(),
        ) {
            let values = series(&parts, 0.05, seed);
            let scaled: Vec<f64> = values.iter().map(|value| value * 1024.0).collect();
            let places = |found: &[Step]| found.iter().map(|step| step.at).collect::<Vec<_>>();
            let rule = Rule { rounds: 199, ..Rule::default() };
            let (a, b) = (steps(&values, &rule), steps(&scaled, &rule));
            prop_assert_eq!(places(&a), places(&b));
            for pair in a.windows(2) {
                prop_assert!(pair[0].at + rule.least <= pair[1].at);
                prop_assert_eq!(pair[0].after, pair[1].before);
            }
        }
    }
}
