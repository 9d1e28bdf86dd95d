//! What became of the random graphs, by strategy.

use harness_model::{Status, Verdict};

use super::super::graphs::{Run, strategies};
use super::{runs, totals};
use crate::dataset::Dataset;
use crate::published::PublishedError;
use crate::table::{Cell, Column, Table};

/// A name in the published file, a title, and which runs it counts.
type Counted = (&'static str, &'static str, fn(&Run<'_>) -> bool);

const FATES: [Counted; 9] = [
    ("graphs", "graphs", |_| true),
    ("refuted_by_preprocessing", "refuted by preprocessing", |run| {
        run.is_sat().is_some() && run.is_refuted()
    }),
    ("passed_preprocessing", "passed preprocessing", |run| !(run.is_sat().is_some() && run.is_refuted())),
    ("sat", "sat", |run| run.is_sat() == Some(true)),
    ("unsat", "unsat after preprocessing", |run| run.is_sat() == Some(false) && !run.is_refuted()),
    ("unsat_without_string_solver", "of these, by the integer constraints alone", |run| {
        run.is_sat() == Some(false) && !run.is_refuted() && !run.has_guess()
    }),
    ("unsat_within_bound", "of these, within the bound only", |run| {
        run.row.status() == Status::Answered(Verdict::UnsatWithinBound) && !run.is_refuted()
    }),
    ("time_outs", "time-outs", |run| run.row.status() == Status::Timeout),
    ("others", "not solved otherwise", |run| run.is_sat().is_none() && run.row.status() != Status::Timeout),
];

/// What became of the graphs, by strategy.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn table(dataset: &Dataset) -> Result<Table, PublishedError> {
    let published = totals()?;
    let strategies = strategies(dataset);
    let mut columns = vec![Column::text("quantity", "graphs"), Column::number("published", "published")];
    columns.extend(strategies.iter().map(|(_, name)| Column::number(name, name)));
    let mut table = Table::new("table-4.2-graphs", 0, columns);
    let runs = runs(dataset);
    for (name, title, counts) in FATES {
        let known = published.get(name).map_or_else(Cell::absent, |n| Cell::text(n.to_string()));
        let mut cells = vec![Cell::pair(title, name), known];
        cells.extend(strategies.iter().map(|(_, strategy)| {
            Cell::count(runs.iter().filter(|run| run.row.strategy() == *strategy && counts(run)).count())
        }));
        table.push(cells);
    }
    table.note(
        "The study counts 339 time-outs of the two approaches together. Not solved otherwise: unknown, out of memory, \
         unsupported, or wrong.",
    );
    Ok(table)
}
