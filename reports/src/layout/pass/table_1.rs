//! PASS's table 1: path conditions of five small programs.

use harness_model::Status;

use super::{method, strategies};
use crate::analysis::Analysis;
use crate::dataset::{Dataset, Row};
use crate::format;
use crate::layout::{Layout, Part, processor};
use crate::output::ReportError;
use crate::overview::total;
use crate::published::{PublishedError, published};
use crate::table::{Cell, Column, Table};

/// The paper's programs and the families of their conditions.
const PROGRAMS: [(&str, &str); 5] = [
    ("easychair", "pass/easychair"),
    ("easychair*", "pass/easychair-star"),
    ("lastIndexOf", "pass/last-index-of"),
    ("example (a)", "pass/example-a"),
    ("example (b)", "pass/example-b"),
];

/// What counts as a trial of lengths: one of the concrete-length method, an exchange of values between
/// integers and strings, an iteration.
const TRIALS: [&str; 3] = ["length_trials", "interchanges", "iterations"];

/// PASS's table 1.
#[derive(Debug)]
pub struct PassTable1;

impl Layout for PassTable1 {
    fn name(&self) -> &'static str {
        "pass-table-1"
    }

    fn about(&self) -> &'static str {
        "Path conditions of small programs, as PASS's table 1"
    }

    fn families(&self) -> Vec<&'static str> {
        PROGRAMS.iter().map(|(_, family)| *family).collect()
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError> {
        Ok(vec![Part::Table(table(analysis.dataset)?)])
    }
}

/// A row of PASS's table 1: one program by one method.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// As the paper calls it.
    pub program: String,
    /// `parray`, `parray+qelim` or `automaton`.
    pub method: String,
    /// How many path conditions.
    pub path_conditions: u64,
    /// Seconds for all of them.
    pub total_s: f64,
}

/// The published rows.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn figures() -> Result<Vec<Conditions>, PublishedError> {
    published!("pass-table-1.csv").rows(&["program", "method", "path_conditions", "total_s"], |row| {
        Ok(Conditions {
            program: row.text(0).to_owned(),
            method: row.text(1).to_owned(),
            path_conditions: row.number(2)?,
            total_s: row.number(3)?,
        })
    })
}

/// The first of `names` that is a counter of the row.
fn counter(row: &Row, names: &[&str]) -> Option<u64> {
    names.iter().find_map(|name| row.record.counters.get(*name).copied())
}

/// The sum of a counter over rows; nothing when none has it.
fn summed(rows: &[&Row], names: &[&str]) -> Cell {
    let found: Vec<u64> = rows.iter().filter_map(|row| counter(row, names)).collect();
    if found.is_empty() { Cell::absent() } else { Cell::text(found.iter().sum::<u64>().to_string()) }
}

/// Table 1: published rows above measured ones, for each program.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn table(dataset: &Dataset) -> Result<Table, PublishedError> {
    let columns = vec![
        Column::text("program", "program"),
        Column::text("method", "method"),
        Column::text("source", "source"),
        Column::number("path_conditions", "path conditions"),
        Column::number("solved", "solved"),
        Column::number("unsupported", "unsupported"),
        Column::number("total_s", "total"),
        Column::number("slowest_s", "slowest"),
        Column::number("length_trials", "length trials"),
        Column::number("rounds", "rounds"),
        Column::number("instantiations", "instantiations"),
        Column::number("solver_calls", "solver calls"),
    ];
    let mut table = Table::new("pass-table-1", 1, columns);
    let published = figures()?;
    for (program, family) in PROGRAMS {
        for row in published.iter().filter(|row| row.program == program) {
            table.push(vec![
                Cell::text(program),
                Cell::text(&row.method),
                Cell::text("published"),
                Cell::text(row.path_conditions.to_string()),
                Cell::text(row.path_conditions.to_string()),
                Cell::absent(),
                Cell::seconds(Some(row.total_s)),
            ]);
        }
        for strategy in strategies(dataset) {
            let rows: Vec<&Row> = dataset
                .rows()
                .iter()
                .filter(|row| row.strategy() == strategy && row.record.family == family)
                .collect();
            if rows.is_empty() {
                continue;
            }
            let times: Vec<f64> = rows.iter().filter_map(|row| row.solve_s()).collect();
            table.push(vec![
                Cell::text(program),
                Cell::text(method(dataset, strategy)),
                Cell::text(strategy),
                Cell::count(rows.len()),
                Cell::count(rows.iter().filter(|row| row.status().is_solved()).count()),
                Cell::count(rows.iter().filter(|row| row.status() == Status::Unsupported).count()),
                Cell::seconds(total(&times)),
                Cell::seconds(times.iter().copied().reduce(f64::max)),
                summed(&rows, &TRIALS),
                summed(&rows, &["rounds"]),
                summed(&rows, &["instantiations"]),
                summed(&rows, &["solver_calls"]),
            ]);
        }
    }
    table.note(
        "Easychair*, lastIndexOf and the encoding of all programs are ours: the paper prints the programs of its examples (a) \
         and (b) only. Path 5 of example (a) is unsatisfiable here, where substring is defined as in Java.",
    );
    table.note(
        "Length trials: how often lengths or other integers were fixed to values, and words looked for under them: \
         trials of the concrete-length method, exchanges of string graphs, iterations of hybrid solving. A dash: the strategy \
         does not say. Counters are sums over all conditions, up to the limit for one that met a limit. Times are over the solved ones, of \
         the phase solve.",
    );
    table.note(
        "Unsupported: conditions with an operation that the strategy does not have. The conditions of example (b) have regular \
         expressions, which the plain parrays leave to the automata: where the numbers solved differ, so do the conditions that \
         a total is over.",
    );
    table.note(format!(
        "Machine: published, an Intel Core 2 Duo at 2.40 GHz, Java and Yices; measured, {}, with Z3 in Yices' place. Limit \
         here: {}. Unsatisfiable within a bound counts as solved, as the paper counts.",
        processor(dataset),
        format::chosen(dataset.run.limits.time())
    ));
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_those_of_the_paper() {
        let table = figures().unwrap();
        assert_eq!(table.len(), 11);
        let elimination = table.iter().filter(|row| row.method == "parray+qelim");
        assert_eq!(elimination.map(|row| row.path_conditions).sum::<u64>(), 9 + 9 + 6 + 7 + 6);
    }
}
