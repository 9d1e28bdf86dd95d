//! Phases (time by name) and counters: what a strategy tells about its own work, the columns of the tables.
//!
//! Names are lower-case words joined by `_`. The worker itself measures `prepare` and `solve`; a strategy's own phases
//! are parts of these two. A strategy that is asked several questions also tells each answer when it has it, so that those before
//! a limit are not lost.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use harness_model::Answer;

/// Takes the place of a question among those that were asked, and its answer.
type Listener = Box<dyn Fn(usize, &Answer)>;

/// Collects phases and counters; cheap enough for inner code, but counters of hot loops should be added up first.
#[derive(Default)]
pub struct Probe {
    phases: RefCell<BTreeMap<&'static str, Duration>>,
    counters: RefCell<BTreeMap<&'static str, u64>>,
    listener: Option<Listener>,
}

impl fmt::Debug for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { phases, counters, listener: _ } = self;
        f.debug_struct("Probe").field("phases", phases).field("counters", counters).finish_non_exhaustive()
    }
}

impl Probe {
    /// Nothing measured yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, and `listener` hears each answer when it is there.
    pub fn with_listener(listener: impl Fn(usize, &Answer) + 'static) -> Self {
        Self { listener: Some(Box::new(listener)), ..Self::default() }
    }

    /// Tells the answer to the question at `place`, from 0. Places come in order; one that was told before may be told again with a
    /// better answer. What is told is no more than what the run gives at its end, unless it has no end.
    pub fn answered(&self, place: usize, answer: &Answer) {
        if let Some(listener) = &self.listener {
            listener(place, answer);
        }
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
    use std::rc::Rc;

    use harness_model::Verdict;

    use super::*;

    #[test]
    fn a_listener_hears_each_answer() {
        let heard = Rc::new(RefCell::new(Vec::new()));
        let kept = Rc::clone(&heard);
        let probe =
            Probe::with_listener(move |place, answer| kept.borrow_mut().push((place, answer.verdict)));
        probe.answered(0, &Answer::of(Verdict::Unsat));
        probe.answered(1, &Answer::unknown("why".into()));
        Probe::new().answered(2, &Answer::of(Verdict::Sat));
        assert_eq!(*heard.borrow(), [(0, Verdict::Unsat), (1, Verdict::Unknown)]);
    }

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
