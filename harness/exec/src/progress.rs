//! How far a run is, and who hears of it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use harness_model::record::{Record, RunKey};

/// Hears how a run goes; called on the thread that called [`crate::run`].
pub trait Observer {
    /// A job was handed out.
    fn started(&mut self, progress: &Progress) {
        let _ = progress;
    }

    /// A record was made, and the sink has it.
    fn finished(&mut self, progress: &Progress, record: &Record) {
        let _ = (progress, record);
    }

    /// Some time passed: at least five times a second while nothing else happens.
    fn tick(&mut self, progress: &Progress) {
        let _ = progress;
    }
}

/// An observer that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// How far a run is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Jobs that this call was given.
    pub planned: usize,
    /// Records made.
    pub done: usize,
    /// What each worker is doing, by its number.
    pub running: BTreeMap<usize, Running>,
    /// When the run started.
    pub since: Instant,
    clocks: Clocks,
}

/// A job in flight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    /// Which.
    pub key: RunKey,
    /// Since when.
    pub since: Instant,
}

/// What is needed to guess how long the rest takes: time and jobs, by strategy.
#[derive(Clone, Debug, Default)]
struct Clocks {
    workers: u32,
    left: BTreeMap<String, u32>,
    spent: BTreeMap<String, (Duration, u32)>,
}

impl Progress {
    /// Of jobs by these strategies, one each, none of them done.
    pub(crate) fn of<'a>(strategies: impl IntoIterator<Item = &'a str>, workers: usize) -> Self {
        let mut left = BTreeMap::<String, u32>::new();
        let mut planned = 0;
        for strategy in strategies {
            *left.entry(strategy.to_owned()).or_default() += 1;
            planned += 1;
        }
        let workers = u32::try_from(workers).unwrap_or(u32::MAX).max(1);
        Self {
            planned,
            done: 0,
            running: BTreeMap::new(),
            since: Instant::now(),
            clocks: Clocks { workers, left, spent: BTreeMap::new() },
        }
    }

    pub(crate) fn start(&mut self, worker: usize, key: &RunKey, since: Instant) {
        self.running.insert(worker, Running { key: key.clone(), since });
    }

    pub(crate) fn finish(&mut self, worker: usize, strategy: &str, took: Duration) {
        self.running.remove(&worker);
        self.done += 1;
        if let Some(left) = self.clocks.left.get_mut(strategy) {
            *left = left.saturating_sub(1);
        }
        let (time, jobs) = self.clocks.spent.entry(strategy.to_owned()).or_default();
        *time += took;
        *jobs += 1;
    }

    /// About how long the rest takes: for each strategy its mean so far times its jobs left, over the
    /// workers; the mean of all stands in for a strategy that has no record yet. `None` before the first
    /// record.
    pub fn eta(&self) -> Option<Duration> {
        let (time, jobs) = self
            .clocks
            .spent
            .values()
            .fold((Duration::ZERO, 0), |(time, jobs), spent| (time + spent.0, jobs + spent.1));
        let overall = time.checked_div(jobs)?;
        let rest = self.clocks.left.iter().fold(Duration::ZERO, |rest, (strategy, left)| {
            let mean = self.clocks.spent.get(strategy).and_then(|(time, jobs)| time.checked_div(*jobs));
            rest.saturating_add(mean.unwrap_or(overall).saturating_mul(*left))
        });
        rest.checked_div(self.clocks.workers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_guessed_from_what_was_seen() {
        let mut progress = Progress::of(["s", "s", "s", "slow", "slow", "slow"], 2);
        assert_eq!(progress.eta(), None);
        progress.finish(0, "s", Duration::from_secs(2));
        // Two of "s" and three of "slow", of which nothing is known: five times two seconds on two workers.
        assert_eq!(progress.eta(), Some(Duration::from_secs(5)));
        progress.finish(0, "slow", Duration::from_secs(100));
        assert_eq!(progress.eta(), Some(Duration::from_secs(102)));
    }
}
