//! A strategy's repeats on one task as one attempt: what comparisons, figures and plots are made from.
//!
//! An attempt is solved when every repeat is, with the same verdict; its time is then the median of theirs.
//! So a strategy that solves a task only now and then is never credited with its luckier runs.

use harness_model::{Alphabet, Operation, OperationKind, Operations, Status, Verdict};

use crate::dataset::{Dataset, Row};
use crate::stats;

/// All repeats of one strategy on one task.
#[derive(Clone, Debug)]
pub struct Attempt<'a> {
    /// The task's id.
    pub task: &'a str,
    /// The task's family.
    pub family: &'a str,
    /// The task's alphabet.
    pub alphabet: Alphabet,
    /// The strategy's name.
    pub strategy: &'a str,
    /// Of the repeats, when they agree; else the first that is not solved, or `unknown` when solved ones
    /// differ.
    pub status: Status,
    /// Seconds of the phase `solve`; `None` when not solved.
    pub solve_s: Option<f64>,
    /// Seconds of [`Dataset::own_s`]: `solve` without the start of Z3 and without a witness looked for in a
    /// whole automaton; `None` when not solved.
    pub own_s: Option<f64>,
}

impl Attempt<'_> {
    /// Seconds of the phase `solve` of an answer to the whole question: what may stand beside the times of
    /// other strategies. One within a bound is none.
    pub fn full_s(&self) -> Option<f64> {
        self.solve_s.filter(|_| self.status != Status::Answered(Verdict::UnsatWithinBound))
    }
}

/// The attempts of `dataset`, sorted by task and strategy. Linear.
pub fn attempts(dataset: &Dataset) -> Vec<Attempt<'_>> {
    let same = |a: &Row, b: &Row| a.task() == b.task() && a.strategy() == b.strategy();
    dataset.rows().chunk_by(same).filter_map(|rows| attempt(dataset, rows)).collect()
}

fn attempt<'a>(dataset: &'a Dataset, rows: &'a [Row]) -> Option<Attempt<'a>> {
    let first = rows.first()?;
    let unsolved = rows.iter().map(Row::status).find(|status| !status.is_solved());
    let status = unsolved.unwrap_or_else(|| {
        if rows.iter().all(|row| row.status() == first.status()) {
            first.status()
        } else {
            Status::Answered(Verdict::Unknown)
        }
    });
    let middle = |times: Option<Vec<f64>>| {
        times.filter(|_| status.is_solved()).and_then(|times| stats::median(&times))
    };
    Some(Attempt {
        task: first.task(),
        family: &first.record.family,
        alphabet: first.record.alphabet,
        strategy: first.strategy(),
        status,
        solve_s: middle(rows.iter().map(Row::solve_s).collect()),
        own_s: middle(rows.iter().map(|row| dataset.own_s(row)).collect()),
    })
}

/// A single operation on two named expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair<'a> {
    /// Which operation.
    pub kind: OperationKind,
    /// Name of the left expression.
    pub left: &'a str,
    /// Name of the right expression.
    pub right: &'a str,
}

/// What the task `id` asks, when it is one operation; `None` for a batch or an unknown task.
pub fn pair<'a>(dataset: &'a Dataset, id: &str) -> Option<Pair<'a>> {
    let Operations { regexes, operations } = dataset.task(id)?.question.as_operations()?;
    let &[Operation { kind, left, right }] = operations.as_slice() else { return None };
    let name = |index: usize| regexes.get(index).map(|regex| regex.name.as_str());
    Some(Pair { kind, left: name(left)?, right: name(right)? })
}
