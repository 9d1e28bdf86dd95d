//! Phases (time by name) and counters: what a strategy tells about its own work, the columns of the tables.
//!
//! Names are lower-case words joined by `_`. The worker itself measures `prepare` and `solve`; a strategy's own phases
//! are parts of these two.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Collects phases and counters; cheap enough for inner code, but counters of hot loops should be added up first.
#[derive(Debug, Default)]
pub struct Probe {
    phases: RefCell<BTreeMap<&'static str, Duration>>,
    counters: RefCell<BTreeMap<&'static str, u64>>,
}

impl Probe {
    /// Nothing measured yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs `work` and adds its time to phase `name`.
    pub fn phase<T>(&self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.add_time(name, start.elapsed());
        result
    }

    /// Adds `time` to phase `name`.
    pub fn add_time(&self, name: &'static str, time: Duration) {
        *self.phases.borrow_mut().entry(name).or_default() += time;
    }

    /// Adds `amount` to counter `name`.
    pub fn count(&self, name: &'static str, amount: u64) {
        *self.counters.borrow_mut().entry(name).or_default() += amount;
    }

    /// Raises counter `name` to `value` if it is below: for peaks.
    pub fn peak(&self, name: &'static str, value: u64) {
        let mut counters = self.counters.borrow_mut();
        let counter = counters.entry(name).or_default();
        *counter = value.max(*counter);
    }

    /// What was measured: phases in nanoseconds, and counters.
    pub fn into_parts(self) -> (BTreeMap<String, u64>, BTreeMap<String, u64>) {
        let nanos = |d: Duration| u64::try_from(d.as_nanos()).unwrap_or(u64::MAX);
        (
            self.phases.into_inner().into_iter().map(|(k, v)| (k.to_owned(), nanos(v))).collect(),
            self.counters.into_inner().into_iter().map(|(k, v)| (k.to_owned(), v)).collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_up() {
        let probe = Probe::new();
        assert_eq!(probe.phase("solve", || 7), 7);
        probe.count("states", 2);
        probe.count("states", 3);
        probe.peak("bdd_nodes", 9);
        probe.peak("bdd_nodes", 4);
        let (phases, counters) = probe.into_parts();
        assert_eq!(phases.len(), 1);
        assert_eq!(counters, [("bdd_nodes".to_owned(), 9), ("states".to_owned(), 5)].into());
    }
}
