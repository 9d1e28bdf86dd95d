//! What every report is made from: the records of a run with what the judge made of them.
//!
//! Invariant: rows are sorted by task, strategy and repeat, whatever order the records were made in, so that
//! a run made by two workers and the same run made by one are reported alike.

use std::collections::{BTreeMap, HashSet};

use harness_model::judgement::{Disagreement, Judgement};
use harness_model::record::Record;
use harness_model::run::{RunInfo, StrategyRow};
use harness_model::{Status, Task, Verdict};

use crate::strategy::starts_z3_in_prepare;

/// A record and its judgement.
#[derive(Clone, Debug)]
pub struct Row {
    /// What happened.
    pub record: Record,
    /// Whether it was right.
    pub judgement: Judgement,
}

impl Row {
    /// The strategy's name.
    pub fn strategy(&self) -> &str {
        &self.record.key.strategy
    }

    /// The task's id.
    pub fn task(&self) -> &str {
        &self.record.key.task
    }

    /// What became of it.
    pub fn status(&self) -> Status {
        self.judgement.status
    }

    /// Whether it is a correct verdict on the whole question: an answer within a bound is none, since it did
    /// less.
    pub fn is_full(&self) -> bool {
        self.status().is_solved() && !self.is_within_bound()
    }

    /// Whether the strategy has exhausted its bound, which proves no more than that.
    pub fn is_within_bound(&self) -> bool {
        self.status() == Status::Answered(Verdict::UnsatWithinBound)
    }

    /// Seconds of `phase` as tables show it: the warm median where there is one, else the cold time. `None`
    /// when the row is not a correct verdict, or the strategy did not report the phase: neither has a time in
    /// any table.
    pub fn phase_s(&self, phase: &str) -> Option<f64> {
        if !self.status().is_solved() {
            return None;
        }
        self.record.phases.get(phase).map(|time| seconds(time.shown_ns()))
    }

    /// Seconds of the phase `solve`, on the same terms as [`Row::phase_s`].
    pub fn solve_s(&self) -> Option<f64> {
        self.phase_s("solve")
    }

    /// [`Row::solve_s`] less what is no work on the question: the start of Z3, where `starts_z3`, the search
    /// for a witness in a whole automaton (the phase `witness`), which no study did, and the making of a
    /// library's own automata (`rebuild`), which the study that had one left out. A warm time has no start in
    /// it.
    fn own_s(&self, starts_z3: bool) -> Option<f64> {
        let is_warm = self.record.phases.get("solve").is_some_and(|time| time.warm.is_some());
        let start = if starts_z3 && !is_warm { self.phase_s("start_z3") } else { None };
        let [witness, rebuild] = ["witness", "rebuild"].map(|name| self.phase_s(name).unwrap_or(0.0));
        let others = start.unwrap_or(0.0) + witness + rebuild;
        // All lie inside of `solve`; the clock's last digit must not make what is left negative.
        self.solve_s().map(|solve| (solve - others).max(0.0))
    }
}

/// A run, its tasks, its records and what was found wrong in them.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// The run as a whole.
    pub run: RunInfo,
    /// The tasks by id.
    tasks: BTreeMap<String, Task>,
    /// Sorted by task, strategy and repeat.
    rows: Vec<Row>,
    /// The strategies of the rows, by name.
    of_rows: Vec<String>,
    /// Strategies that cannot all be right.
    pub disagreements: Vec<Disagreement>,
    /// What the reader should know beside: damaged lines, expressions that do not parse, and the like.
    pub notes: Vec<String>,
    /// Pictures of tasks, made by those who know what a task is about.
    pub drawings: Vec<Drawing>,
}

/// The picture of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The task's id.
    pub task: String,
    /// The picture, as SVG.
    pub svg: String,
}

impl Drawing {
    /// The stem of its files.
    pub fn name(&self) -> String {
        let clean = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
        format!("graph-{}", self.task.chars().map(clean).collect::<String>())
    }
}

impl Dataset {
    /// A dataset of `rows` in any order.
    pub fn new(
        run: RunInfo,
        tasks: impl IntoIterator<Item = Task>,
        mut rows: Vec<Row>,
        disagreements: Vec<Disagreement>,
        notes: Vec<String>,
    ) -> Self {
        // In place: a run has each key once.
        rows.sort_unstable_by(|a, b| a.record.key.cmp(&b.record.key));
        let tasks = tasks.into_iter().map(|task| (task.id.clone(), task)).collect();
        let names: HashSet<&str> = rows.iter().map(Row::strategy).collect();
        let mut of_rows: Vec<String> = names.into_iter().map(str::to_owned).collect();
        of_rows.sort_unstable();
        Self { run, tasks, rows, of_rows, disagreements, notes, drawings: Vec::new() }
    }

    /// The rows, sorted by task, strategy and repeat.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// All tasks, by id.
    pub fn tasks(&self) -> impl Iterator<Item = &Task> {
        self.tasks.values()
    }

    /// The task of a row; `None` when the run's list of tasks does not have it.
    pub fn task(&self, id: &str) -> Option<&Task> {
        self.tasks.get(id)
    }

    /// What the run says of the strategy `name`; `None` for one that only records name.
    pub fn strategy(&self, name: &str) -> Option<&StrategyRow> {
        self.run.strategies.iter().find(|row| row.name == name)
    }

    /// Seconds that the strategy of `row` worked on the question: `solve` without the start of Z3, which is
    /// the same for all that use it, and without a witness that was looked for in a whole automaton. `None`
    /// on the same terms as [`Row::phase_s`].
    pub fn own_s(&self, row: &Row) -> Option<f64> {
        let in_prepare = self.strategy(row.strategy()).is_some_and(starts_z3_in_prepare);
        row.own_s(!in_prepare)
    }

    /// The strategies in the config's order, then those that only records name, by name.
    pub fn strategies(&self) -> Vec<&str> {
        let known: Vec<&str> = self.run.strategies.iter().map(|row| row.name.as_str()).collect();
        let others = self.of_rows.iter().map(String::as_str).filter(|name| !known.contains(name));
        known.iter().copied().chain(others).collect()
    }
}

/// Nanoseconds as seconds. Exact to the nanosecond up to about 100 days.
#[expect(
    clippy::cast_precision_loss,
    reason = "2^53 ns are 104 days; beyond, a double is still close enough"
)]
pub fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}
