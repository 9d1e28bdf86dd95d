//! A strategy made slower on purpose, to see whether that is found: feature `planted`.
//!
//! It answers as it would, and then uses processor time in proportion to what its process has used for the
//! answer, starting and preparing included. So the processor time of a record grows by the percentage that
//! was asked for, but for the end of the process.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use backends_api::{BackendError, Budget, Op, Probe, Run, Strategy, StrategyInfo, Treatment};
use harness_model::{Outcome, Question};
use rustix::time::{ClockId, clock_gettime};

/// The strategy, slower by `percent` if it is the one named `name`.
pub fn slowed(inner: Box<dyn Strategy>, name: &str, percent: u32) -> Box<dyn Strategy> {
    if inner.info().name == name { Box::new(Slowed { inner, percent }) } else { inner }
}

struct Slowed {
    inner: Box<dyn Strategy>,
    percent: u32,
}

impl Strategy for Slowed {
    fn info(&self) -> StrategyInfo {
        self.inner.info()
    }

    fn operation(&self, op: Op) -> Option<Treatment> {
        self.inner.operation(op)
    }

    fn prepare<'a>(
        &'a self,
        question: &'a Question,
        budget: &'a Budget,
        probe: &Probe,
    ) -> Result<Box<dyn Run + 'a>, BackendError> {
        let inner = self.inner.prepare(question, budget, probe)?;
        Ok(Box::new(SlowedRun { inner, percent: self.percent }))
    }
}

struct SlowedRun<'a> {
    inner: Box<dyn Run + 'a>,
    percent: u32,
}

impl Run for SlowedRun<'_> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        let outcome = self.inner.run(probe);
        surcharge(self.percent);
        outcome
    }
}

/// Nanoseconds up to which the surcharge was paid. A forked child starts with none, as its clock does.
static PAID: AtomicU64 = AtomicU64::new(0);

fn surcharge(percent: u32) {
    let used = used();
    let owed = used.saturating_sub(PAID.load(Ordering::Relaxed)).saturating_mul(percent.into()) / 100;
    let mut turns = 0_u64;
    while self::used() < used.saturating_add(owed) {
        for _ in 0..100 {
            turns = black_box(turns.wrapping_add(1));
        }
    }
    PAID.store(self::used(), Ordering::Relaxed);
}

/// Processor time of this thread, in nanoseconds; a record's process has no other. The clock of the whole
/// process would move only with the kernel's ticks, as it does for every process that has a limit on its
/// processor time.
fn used() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let time = Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0));
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use harness_model::{Alphabet, Answer};

    use super::*;

    /// Uses so much processor time.
    struct Busy(u64);

    impl Strategy for Busy {
        fn info(&self) -> StrategyInfo {
            StrategyInfo {
                name: "busy".into(),
                backend: "test",
                version: "1".into(),
                summary: String::new(),
                source: "",
            }
        }

        fn operation(&self, _: Op) -> Option<Treatment> {
            None
        }

        fn prepare<'a>(
            &'a self,
            _: &'a Question,
            _: &'a Budget,
            _: &Probe,
        ) -> Result<Box<dyn Run + 'a>, BackendError> {
            Ok(Box::new(Busy(self.0)))
        }
    }

    impl Run for Busy {
        fn run(&mut self, _: &Probe) -> Result<Outcome, BackendError> {
            let end = used() + self.0;
            while used() < end {}
            Ok(Outcome { answers: vec![Answer::empty()] })
        }
    }

    #[test]
    fn the_named_strategy_uses_more_and_answers_the_same() {
        let question = Question::of_operations(Alphabet::Ascii, Vec::new(), Vec::new());
        let strategy = slowed(Box::new(Busy(10_000_000)), "busy", 50);
        let (budget, probe) = (Budget::unlimited(), Probe::new());
        let mut run = strategy.prepare(&question, &budget, &probe).unwrap();
        let start = used();
        let outcome = run.run(&probe).unwrap();
        assert!(used() - start >= 15_000_000);
        assert_eq!(outcome.answers, [Answer::empty()]);
        assert_eq!(strategy.info().name, "busy");
    }
}
