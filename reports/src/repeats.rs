//! The repeats of a strategy on a task as one entry of a table: a run of five repeats has its tasks once, and
//! not five times.
//!
//! A task is solved when every repeat is. Times are medians of the repeats, and how far these lie apart is
//! told beside them.

use harness_model::Status;

use crate::dataset::Row;
use crate::stats;

/// All repeats of a strategy on a task, in their order; at least one.
#[derive(Clone, Debug)]
pub struct Trial<'a>(Vec<&'a Row>);

/// The trials of rows of one strategy that are sorted by task. Linear.
pub fn trials<'a>(rows: &[&'a Row]) -> Vec<Trial<'a>> {
    rows.chunk_by(|one, other| one.task() == other.task()).map(|rows| Trial(rows.to_vec())).collect()
}

/// How bad a status is: of repeats that differ, the worst one stands for all.
const fn badness(status: Status) -> u8 {
    match status {
        Status::Wrong => 8,
        Status::InvalidModel => 7,
        Status::Crash => 6,
        Status::Error => 5,
        Status::Memout => 4,
        Status::Timeout => 3,
        Status::Unsupported => 2,
        Status::Answered(_) => 1,
    }
}

impl<'a> Trial<'a> {
    /// The repeats.
    pub fn rows(&self) -> &[&'a Row] {
        &self.0
    }

    /// What became of it: of the repeats, when they agree; else the worst, and of answers one that solves
    /// nothing before one that does.
    pub fn status(&self) -> Status {
        let worst = self.0.iter().max_by_key(|row| (badness(row.status()), !row.is_full()));
        worst.map_or(Status::Error, |row| row.status())
    }

    /// Whether every repeat answers the whole question correctly.
    pub fn is_full(&self) -> bool {
        self.0.iter().all(|row| row.is_full())
    }

    /// The median of a time over the repeats; `None` unless all are solved and have it.
    pub fn time(&self, of: impl Fn(&Row) -> Option<f64>) -> Option<f64> {
        self.times(of).and_then(|times| stats::median(&times))
    }

    /// By what share of their median the times of the repeats differ at most; `None` for fewer than two
    /// repeats, or where not all are solved.
    pub fn spread(&self, of: impl Fn(&Row) -> Option<f64>) -> Option<f64> {
        let times = self.times(of).filter(|times| times.len() > 1)?;
        let median = stats::median(&times).filter(|median| *median > 0.0)?;
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        let most = times.iter().copied().fold(0.0, f64::max);
        Some((most - least) / median)
    }

    fn times(&self, of: impl Fn(&Row) -> Option<f64>) -> Option<Vec<f64>> {
        if !self.is_full() {
            return None;
        }
        self.0.iter().map(|row| of(row)).collect()
    }
}

/// The middle of the spreads of trials: how far the repeats of the usual task lie apart.
pub fn usual_spread(trials: &[Trial<'_>], of: impl Fn(&Row) -> Option<f64> + Copy) -> Option<f64> {
    let all: Vec<f64> = trials.iter().filter_map(|trial| trial.spread(of)).collect();
    stats::median(&all)
}

/// A spread as people read it: `±4 %` is half of it on either side.
pub fn shown(spread: f64) -> String {
    format!("±{} %", crate::format::significant(50.0 * spread))
}
