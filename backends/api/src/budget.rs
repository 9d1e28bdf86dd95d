//! Cooperative limits. The runner enforces the real ones from outside the process; a budget lets library
//! users and tests stop a computation from inside, and lets a strategy refuse before it builds something
//! absurd.
//!
//! Every loop of a backend calls [`Budget::tick`] once a step.

use std::cell::Cell;
use std::time::{Duration, Instant};

use harness_model::Limits;

/// Why a computation was stopped from inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// The deadline passed.
    #[error("time budget used up")]
    Time,
    /// The allowance of steps is used up.
    #[error("step budget of {0} used up")]
    Steps(u64),
    /// Something that must be built is larger than its limit allows.
    #[error("{what} would need more than {limit} {unit}")]
    Size {
        /// What would be built.
        what: &'static str,
        /// The limit.
        limit: u64,
        /// Of what.
        unit: &'static str,
    },
    /// A solver that the computation relies on gave up.
    #[error("the solver gave up: {0}")]
    Solver(&'static str),
}

/// How much a computation may still do. Not shared between threads.
#[derive(Debug)]
pub struct Budget {
    deadline: Option<Instant>,
    allowance: u64,
    steps: Cell<u64>,
    next_look: Cell<u64>,
    enforced: Option<Limits>,
}

/// The clock is read once in so many steps.
const LOOK_EVERY: u64 = 256;

impl Budget {
    /// No limit at all.
    pub const fn unlimited() -> Self {
        Self::with_steps(u64::MAX)
    }

    /// At most `time` from now.
    pub fn with_time(time: Duration) -> Self {
        Self { deadline: Instant::now().checked_add(time), ..Self::unlimited() }
    }

    /// At most `steps` ticks.
    pub const fn with_steps(steps: u64) -> Self {
        Self {
            deadline: None,
            allowance: steps,
            steps: Cell::new(0),
            next_look: Cell::new(LOOK_EVERY),
            enforced: None,
        }
    }

    /// The same, and the runner enforces `limits` from outside.
    #[must_use]
    pub fn within(self, limits: Limits) -> Self {
        Self { enforced: Some(limits), ..self }
    }

    /// The limits that the runner enforces from outside, where there is one. For a strategy that starts
    /// another program which wants to be told of them, and for no other: what limits a record must not change
    /// how it is made.
    pub const fn enforced(&self) -> Option<Limits> {
        self.enforced
    }

    /// The budget of a part of the work: `time` from now, and nothing beyond this budget. Its steps go on
    /// from those counted here; [`Budget::go_on_after`] takes them over.
    #[must_use]
    pub fn part(&self, time: Duration) -> Self {
        let own = Instant::now().checked_add(time);
        let deadline = [self.deadline, own].into_iter().flatten().min();
        Self {
            deadline,
            allowance: self.allowance,
            steps: self.steps.clone(),
            next_look: self.next_look.clone(),
            enforced: self.enforced,
        }
    }

    /// Counts the steps of a [part](Budget::part) that is done.
    pub fn go_on_after(&self, part: &Self) {
        self.steps.set(part.steps.get());
        self.next_look.set(part.next_look.get());
    }

    /// Counts a step. A few nanoseconds; reads the clock once in 256 steps.
    #[inline]
    pub fn tick(&self) -> Result<(), Stop> {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        if steps > self.allowance {
            return Err(Stop::Steps(self.allowance));
        }
        if steps >= self.next_look.get() {
            self.next_look.set(steps + LOOK_EVERY);
            return self.look();
        }
        Ok(())
    }

    /// Looks at the clock now; for loops whose single steps are long.
    #[cold]
    pub fn look(&self) -> Result<(), Stop> {
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stop::Time),
            _ => Ok(()),
        }
    }

    /// How long until the deadline, for solvers that take a time limit of their own; `None` without a
    /// deadline.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// How many steps were counted.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_run_out() {
        let budget = Budget::with_steps(2);
        assert_eq!([budget.tick(), budget.tick(), budget.tick()], [Ok(()), Ok(()), Err(Stop::Steps(2))]);
    }

    #[test]
    fn a_part_ends_by_itself_and_never_after_the_whole() {
        let hour = Duration::from_secs(3600);
        let budget = Budget::with_steps(3);
        let part = budget.part(Duration::ZERO);
        assert_eq!((part.look(), part.tick(), budget.look()), (Err(Stop::Time), Ok(()), Ok(())));
        budget.go_on_after(&part);
        assert_eq!(budget.steps(), 1);
        let part = budget.part(hour);
        assert_eq!([part.tick(), part.tick(), part.tick()], [Ok(()), Ok(()), Err(Stop::Steps(3))]);
        assert_eq!(Budget::with_time(Duration::ZERO).part(hour).look(), Err(Stop::Time));
    }

    #[test]
    fn time_runs_out() {
        let budget = Budget::with_time(Duration::ZERO);
        assert_eq!((0..1000).find_map(|_| budget.tick().err()), Some(Stop::Time));
    }
}
