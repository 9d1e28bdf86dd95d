//! Phases (time by name) and counters: what a strategy tells about its own work, the columns of the tables.
//!
//! Names are lower-case words joined by `_`. The worker itself measures `prepare` and `solve`; a strategy's
//! own phases are parts of these two. A strategy that is asked several questions also tells each answer when
//! it has it, so that those before a limit are not lost.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use harness_model::Answer;

use crate::progress::{Board, Slot};

/// Takes the place of a question among those that were asked, and its answer.
type Listener = Box<dyn Fn(usize, &Answer)>;

/// Collects phases and counters; cheap enough for inner code, but counters of hot loops should be added up
/// first.
#[derive(Default)]
pub struct Probe {
    phases: RefCell<BTreeMap<&'static str, Entry<Duration>>>,
    counters: RefCell<BTreeMap<&'static str, Entry<u64>>>,
    listener: Option<Listener>,
    board: Option<Board>,
}

/// What was measured under a name, and where else it is stored.
#[derive(Debug, Default)]
struct Entry<T> {
    value: T,
    slot: Option<Slot>,
}

impl fmt::Debug for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { phases, counters, listener: _, board: _ } = self;
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

    /// The same, and all that is measured is stored on `board` too as it changes.
    #[must_use]
    pub fn on(self, board: Board) -> Self {
        Self { board: Some(board), ..self }
    }

    /// Tells the answer to the question at `place`, from 0. Places come in order; one that was told before
    /// may be told again with a better answer. What is told is no more than what the run gives at its end,
    /// unless it has no end.
    pub fn answered(&self, place: usize, answer: &Answer) {
        if let Some(listener) = &self.listener {
            listener(place, answer);
        }
    }

    /// Runs `work` and adds its time to phase `name`.
    pub fn phase<T>(&self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        if let Some(board) = &self.board
            && let Some(slot) = self.phase_entry(name, board)
        {
            board.open(slot, start);
        }
        let result = work();
        self.add_time(name, start.elapsed());
        result
    }

    /// The slot of a phase, which has an entry from now on.
    fn phase_entry(&self, name: &'static str, board: &Board) -> Option<Slot> {
        let mut phases = self.phases.borrow_mut();
        let entry = || Entry { slot: board.phase(name), ..Entry::default() };
        phases.entry(name).or_insert_with(entry).slot
    }

    /// Adds `time` to phase `name`.
    pub fn add_time(&self, name: &'static str, time: Duration) {
        let mut phases = self.phases.borrow_mut();
        let new = || Entry { slot: self.board.and_then(|board| board.phase(name)), ..Entry::default() };
        let entry = phases.entry(name).or_insert_with(new);
        entry.value += time;
        if let (Some(board), Some(slot)) = (&self.board, entry.slot) {
            board.close(slot, entry.value);
        }
    }

    /// Adds `amount` to counter `name`.
    pub fn count(&self, name: &'static str, amount: u64) {
        self.update(name, |value| value + amount);
    }

    /// Raises counter `name` to `value` if it is below: for peaks.
    pub fn peak(&self, name: &'static str, value: u64) {
        self.update(name, |counter| value.max(counter));
    }

    /// The time of phase `name` so far; of one that is going on, without what it has taken since it began.
    pub fn time_of(&self, name: &str) -> Duration {
        self.phases.borrow().get(name).map_or(Duration::ZERO, |entry| entry.value)
    }

    /// Counter `name` so far.
    pub fn counted(&self, name: &str) -> u64 {
        self.counters.borrow().get(name).map_or(0, |entry| entry.value)
    }

    fn update(&self, name: &'static str, new_value: impl FnOnce(u64) -> u64) {
        let mut counters = self.counters.borrow_mut();
        let new = || Entry { slot: self.board.and_then(|board| board.counter(name)), ..Entry::default() };
        let entry = counters.entry(name).or_insert_with(new);
        entry.value = new_value(entry.value);
        if let (Some(board), Some(slot)) = (&self.board, entry.slot) {
            board.set(slot, entry.value);
        }
    }

    /// What was measured: phases in nanoseconds, and counters.
    pub fn into_parts(self) -> (BTreeMap<String, u64>, BTreeMap<String, u64>) {
        let nanos = |d: Duration| u64::try_from(d.as_nanos()).unwrap_or(u64::MAX);
        (
            self.phases.into_inner().into_iter().map(|(k, v)| (k.to_owned(), nanos(v.value))).collect(),
            self.counters.into_inner().into_iter().map(|(k, v)| (k.to_owned(), v.value)).collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;
    use std::sync::atomic::AtomicU64;

    use harness_model::Verdict;

    use super::*;
    use crate::progress::WORDS;

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
    fn a_board_has_what_was_measured_and_what_is_going_on() {
        let words = Box::leak(Box::new([const { AtomicU64::new(0) }; WORDS]));
        let board = Board::new(words);
        let probe = Probe::new().on(board);
        probe.phase("parse", || ());
        probe.count("states", 2);
        let seen = probe.phase("check", || {
            probe.count("states", 3);
            probe.peak("nodes", 9);
            board.read(Duration::from_secs(3600))
        });
        assert_eq!(seen.1, [("nodes".to_owned(), 9), ("states".to_owned(), 5)].into());
        assert!(seen.0["parse"] < seen.0["check"] && seen.0["check"] > 3_000_000_000_000);
        let closed = board.read(Duration::from_secs(3600));
        assert!(closed.0["check"] < 3_000_000_000_000);
        assert_eq!(closed.1, probe.into_parts().1);
    }

    #[test]
    fn adds_up() {
        let probe = Probe::new();
        assert_eq!(probe.phase("solve", || 7), 7);
        probe.count("states", 2);
        probe.count("states", 3);
        probe.peak("bdd_nodes", 9);
        probe.peak("bdd_nodes", 4);
        probe.add_time("solve", Duration::from_secs(7));
        assert!(probe.time_of("solve") >= Duration::from_secs(7));
        assert_eq!(
            (probe.time_of("check"), probe.counted("states"), probe.counted("checks")),
            (Duration::ZERO, 5, 0)
        );
        let (phases, counters) = probe.into_parts();
        assert_eq!(phases.len(), 1);
        assert_eq!(counters, [("bdd_nodes".to_owned(), 9), ("states".to_owned(), 5)].into());
    }
}
