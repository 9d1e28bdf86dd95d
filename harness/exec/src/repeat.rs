//! Warm repetitions of a short run, in a child of their own.
//!
//! The accounted child does the work once, cold. Where that was short, a second child repeats it: once
//! unmeasured, to warm up, then until the solve phases of the samples add up to the time that is wanted.
//! Where preparing is cheap, each sample prepares anew, and every phase has a warm time; where it is not, one
//! preparation serves all samples, and only the phases of the run itself have one. Every repetition must give
//! the verdicts of the accounted run.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use backends_api::protocol::Failure;
use backends_api::{Budget, Probe, Strategy};
use harness_model::limits::Sampling;
use harness_model::record::WarmTime;
use harness_model::{Answer, Limits, Question};
use serde::{Deserialize, Serialize};

use crate::child::{Times, complete, guarded};

/// Preparing is cheap when it takes no longer than solving, or than this part of the wanted total.
const CHEAP_PART: u32 = 8;

/// Preparing anew for each sample, the whole may take this many times the wanted total.
const AT_MOST: u32 = 4;

/// As many samples are taken even where the first is long enough, for a spread.
const AT_LEAST: usize = 3;

/// What the repeating child reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repetitions {
    /// Warm times by phase, or what went wrong.
    pub result: Result<BTreeMap<String, WarmTime>, Failure>,
}

/// What the accounted run has shown.
pub struct Cold<'a> {
    /// What it said.
    pub answers: &'a [Answer],
    /// How long preparing took.
    pub prepare: Duration,
    /// How long solving took.
    pub solve: Duration,
}

impl Cold<'_> {
    /// Whether it was so short that it should be repeated.
    pub fn is_short(&self, sampling: &Sampling) -> bool {
        sampling.max_samples > 0 && self.solve < sampling.total
    }
}

/// Repeats a run. Half the limits of a record must do for all repetitions, so that none is cut off by one.
pub fn repeat(
    strategy: &dyn Strategy,
    question: &Question,
    sampling: &Sampling,
    limits: &Limits,
    cold: &Cold<'_>,
) -> Repetitions {
    let mut samples = Samples::default();
    let anew = cold.prepare <= cold.solve.max(sampling.total / CHEAP_PART);
    let start = Instant::now();
    let patience = limits.wall.min(limits.cpu) / 2;
    let most = usize::try_from(sampling.max_samples).unwrap_or(usize::MAX);
    let enough = |samples: &Samples| {
        let long = samples.solve >= sampling.total || samples.all >= sampling.total * AT_MOST;
        samples.count >= most || (long && samples.count >= AT_LEAST) || start.elapsed() >= patience
    };
    let result = guarded(|| {
        let budget = Budget::unlimited().within(*limits);
        let mut kept = if anew { None } else { Some(strategy.prepare(question, &budget, &Probe::new())?) };
        let mut warm = false;
        while !(warm && enough(&samples)) {
            let (probe, times) = (Probe::new(), Times::default());
            let outcome = match &mut kept {
                Some(run) => times.solve(|| run.run(&probe))?,
                None => {
                    let mut run = times.prepare(|| strategy.prepare(question, &budget, &probe))?;
                    times.solve(|| run.run(&probe))?
                }
            };
            let agreed = agree(complete(outcome, question), cold.answers, samples.count);
            if agreed.is_err() {
                return Ok(agreed);
            }
            if warm {
                samples.add(&times, probe);
            }
            warm = true;
        }
        Ok(Ok(()))
    });
    Repetitions { result: result.and_then(|checked| checked).map(|()| samples.times()) }
}

/// A repetition that says something else than the first run makes its time worthless.
fn agree(said: Result<Vec<Answer>, Failure>, first: &[Answer], number: usize) -> Result<(), Failure> {
    let said = said?;
    let differs = said.iter().zip(first).position(|(a, b)| a.verdict != b.verdict);
    match differs {
        None => Ok(()),
        Some(operation) => Err(Failure::Error(format!(
            "repetition {number} said {} where the first run said {} (operation {operation})",
            said[operation].verdict, first[operation].verdict
        ))),
    }
}

#[derive(Default)]
struct Samples {
    by_phase: BTreeMap<String, Vec<u64>>,
    count: usize,
    solve: Duration,
    all: Duration,
}

impl Samples {
    fn add(&mut self, times: &Times, probe: Probe) {
        let (mut phases, _) = probe.into_parts();
        times.add_to(&mut phases);
        let part = |name| phases.get(name).copied().map_or(Duration::ZERO, Duration::from_nanos);
        self.count += 1;
        self.solve += part("solve");
        self.all += part("prepare") + part("solve");
        for (name, nanos) in phases {
            self.by_phase.entry(name).or_default().push(nanos);
        }
    }

    fn times(self) -> BTreeMap<String, WarmTime> {
        self.by_phase.into_iter().filter_map(|(name, nanos)| Some((name, summary(nanos)?))).collect()
    }
}

/// Median, median absolute deviation from it, and extremes; `None` without samples. Sorts: `O(n log n)`.
fn summary(mut nanos: Vec<u64>) -> Option<WarmTime> {
    nanos.sort_unstable();
    let (&min_ns, &max_ns) = (nanos.first()?, nanos.last()?);
    let median_ns = median(&nanos);
    let mut deviations: Vec<u64> = nanos.iter().map(|n| n.abs_diff(median_ns)).collect();
    deviations.sort_unstable();
    Some(WarmTime {
        samples: u32::try_from(nanos.len()).unwrap_or(u32::MAX),
        median_ns,
        mad_ns: median(&deviations),
        min_ns,
        max_ns,
    })
}

/// Of sorted values, of which there is at least one; the mean of the middle two where their number is even.
fn median(sorted: &[u64]) -> u64 {
    let upper = sorted[sorted.len() / 2];
    if sorted.len() % 2 == 1 { upper } else { sorted[sorted.len() / 2 - 1].midpoint(upper) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn summaries_of_known_samples() {
        assert_eq!(summary(Vec::new()), None);
        let one = WarmTime { samples: 1, median_ns: 5, mad_ns: 0, min_ns: 5, max_ns: 5 };
        assert_eq!(summary(vec![5]), Some(one));
        // Deviations from 3: 2, 1, 0, 1, 97.
        let five = WarmTime { samples: 5, median_ns: 3, mad_ns: 1, min_ns: 1, max_ns: 100 };
        assert_eq!(summary(vec![100, 1, 3, 2, 4]), Some(five));
        let four = WarmTime { samples: 4, median_ns: 5, mad_ns: 2, min_ns: 1, max_ns: 9 };
        assert_eq!(summary(vec![9, 1, 4, 6]), Some(four));
    }

    proptest! {
        #[test]
        fn the_median_has_half_on_either_side(nanos in proptest::collection::vec(any::<u64>(), 1..40)) {
            let warm = summary(nanos.clone()).unwrap();
            let half = nanos.len().div_ceil(2);
            prop_assert!(nanos.iter().filter(|&&n| n <= warm.median_ns).count() >= nanos.len() / 2);
            prop_assert!(nanos.iter().filter(|&&n| n >= warm.median_ns).count() >= nanos.len() / 2);
            let near = nanos.iter().filter(|&&n| n.abs_diff(warm.median_ns) <= warm.mad_ns.saturating_add(1)).count();
            prop_assert!(near >= half);
            prop_assert!(warm.min_ns <= warm.median_ns && warm.median_ns <= warm.max_ns);
        }
    }

    #[test]
    fn another_verdict_is_an_error() {
        let (empty, word) = (Answer::empty(), Answer::word("a".into()));
        assert_eq!(agree(Ok(vec![word.clone()]), &[Answer::word("b".into())], 0), Ok(()));
        let failure = agree(Ok(vec![empty]), &[word], 2).unwrap_err();
        let text = "repetition 2 said empty where the first run said nonempty (operation 0)";
        assert_eq!(failure, Failure::Error(text.into()));
    }
}
