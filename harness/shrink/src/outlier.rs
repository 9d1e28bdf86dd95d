//! Outliers: one strategy takes longer than another one by a factor, or counts more.
//!
//! Times are noisy, and noise only adds to them. So of several runs the smallest counts on both sides, a
//! single run of the slow strategy that is too short refutes a candidate at once, one that is long enough is
//! made twice more, and while a question shrinks the factor has to be a tenth larger than the one that was
//! asked for. The fast strategy runs first: its time says how long the slow one has to be watched, so that no
//! candidate costs more than it must.

use std::time::Duration;

use harness_model::record::{Record, Termination, TimeLimit};
use harness_model::{Limits, Status};

use crate::interest::{Interest, Kind, Shown, Want};

/// What is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Processor time of the record's processes.
    Cpu,
    /// Time by the clock: for programs that wait.
    Wall,
    /// A counter that strategies tell of, such as `states`.
    Count(String),
}

impl Measure {
    /// `cpu`, `wall`, or else the name of a counter.
    pub fn of_name(name: &str) -> Self {
        match name {
            "cpu" => Self::Cpu,
            "wall" => Self::Wall,
            counter => Self::Count(counter.to_owned()),
        }
    }

    /// As it is written.
    pub fn name(&self) -> &str {
        match self {
            Self::Cpu => "cpu",
            Self::Wall => "wall",
            Self::Count(counter) => counter,
        }
    }

    /// Whether runs of one question differ in it.
    pub const fn is_time(&self) -> bool {
        match self {
            Self::Cpu | Self::Wall => true,
            Self::Count(_) => false,
        }
    }

    /// Its value: seconds, or a count. `None` when the record does not have it.
    pub fn of(&self, record: &Record) -> Option<f64> {
        let seconds = |ns: u64| Duration::from_nanos(ns).as_secs_f64();
        match self {
            Self::Cpu => record.usage.map(|usage| seconds(usage.cpu_ns)),
            Self::Wall => record.usage.map(|usage| seconds(usage.wall_ns)),
            #[expect(clippy::cast_precision_loss, reason = "counts are compared by a factor")]
            Self::Count(name) => record.counters.get(name).map(|&count| count as f64),
        }
    }
}

/// Which factor counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlier {
    /// What is compared.
    pub measure: Measure,
    /// The slow one takes at least so many times what the fast one takes.
    pub ratio: f64,
    /// The slow one takes at least this (seconds, or a count), so that noise is small beside it.
    pub least: f64,
}

/// While a question shrinks, the factor is larger than the one that was asked for: what is left shows it.
const MARGIN: f64 = 1.1;

/// How often a candidate that looks like one is measured.
pub(crate) const REPEATS: usize = 3;

/// How much longer than it has to take the slow strategy may run.
const WATCHED: f64 = 1.25;

impl Outlier {
    /// What the slow strategy has to take where the fast one takes `fast`.
    pub(crate) fn needed(&self, fast: f64, margin: bool) -> f64 {
        let ratio = if margin { self.ratio * MARGIN } else { self.ratio };
        (ratio * fast).max(self.least)
    }

    /// The limits under which the slow strategy runs when it has to take `needed`: no longer than it takes to
    /// see that it does.
    pub(crate) fn watched(&self, limits: Limits, needed: f64) -> Limits {
        let time = Duration::try_from_secs_f64(needed * WATCHED).unwrap_or(Duration::MAX);
        match self.measure {
            Measure::Cpu => Limits { cpu: limits.cpu.min(time), ..limits },
            Measure::Wall => Limits { wall: limits.wall.min(time), ..limits },
            Measure::Count(_) => limits,
        }
    }

    /// What the slow strategy took at least. One that met the limit on what is measured took all of it.
    pub(crate) fn slow(&self, record: &Record, limits: &Limits) -> Option<f64> {
        match (&self.measure, &record.termination) {
            (Measure::Cpu, Termination::Timeout(TimeLimit::Cpu)) => Some(limits.cpu.as_secs_f64()),
            (Measure::Wall, Termination::Timeout(TimeLimit::Wall)) => Some(limits.wall.as_secs_f64()),
            _ => self.measure.of(record),
        }
    }

    /// What the fast strategy took.
    pub(crate) fn fast(&self, record: &Record) -> Option<f64> {
        self.measure.of(record)
    }
}

impl Interest {
    /// That the strategy at `slow` is an outlier beside the one at `fast`; each keeps its answer.
    ///
    /// # Errors
    ///
    /// When the fast strategy gives no answer, or the slow one fails otherwise than by a limit of time: what
    /// they show instead is no matter of time.
    pub fn outlier(outlier: Outlier, slow: usize, fast: usize, all: &[Shown]) -> Result<Self, String> {
        if !matches!(all[fast].status, Status::Answered(_)) {
            return Err(format!("the fast strategy has no answer: {}", all[fast].in_words()));
        }
        if !matches!(all[slow].status, Status::Answered(_) | Status::Timeout) {
            return Err(format!("the slow strategy fails: {}", all[slow].in_words()));
        }
        let want = |strategy: usize| Want { strategy, shown: all[strategy].clone() };
        Ok(Self { kind: Kind::Outlier, wants: vec![want(slow), want(fast)], outlier: Some(outlier) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTLIER: Outlier = Outlier { measure: Measure::Wall, ratio: 10.0, least: 0.05 };

    #[test]
    fn short_times_are_not_enough() {
        assert!((OUTLIER.needed(0.001, false) - 0.05).abs() < 1e-9);
        assert!((OUTLIER.needed(0.1, false) - 1.0).abs() < 1e-9);
        assert!((OUTLIER.needed(0.1, true) - 1.1).abs() < 1e-9);
    }

    #[test]
    fn the_slow_one_is_watched_no_longer_than_needed() {
        let second = Duration::from_secs(1);
        let limits = Limits { wall: second * 60, cpu: second * 60, memory: 1 };
        assert_eq!(OUTLIER.watched(limits, 4.0), Limits { wall: second * 5, ..limits });
        assert_eq!(OUTLIER.watched(limits, 400.0), limits);
        let counter = Outlier { measure: Measure::of_name("states"), ..OUTLIER };
        assert_eq!(counter.watched(limits, 4.0), limits);
    }
}
