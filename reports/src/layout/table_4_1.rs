//! Table 4.1: path conditions of programs, by automata and by bit-vectors.

use std::collections::{BTreeMap, BTreeSet};

use harness_model::Status;

use super::graphs::{Approach, Run, strategies};
use super::{Layout, Part, processor};
use crate::analysis::Analysis;
use crate::dataset::Dataset;
use crate::format;
use crate::output::ReportError;
use crate::published::{PublishedError, published};
use crate::table::{Cell, Column, Table};

/// Names of the study's programs and the families of their path conditions.
const PROGRAMS: [(&str, &str); 2] = [("WU_FTPD", "programs/wu-ftpd"), ("EasyChair", "programs/easychair")];

/// Table 4.1.
#[derive(Debug)]
pub struct Table41;

impl Layout for Table41 {
    fn name(&self) -> &'static str {
        "table-4.1"
    }

    fn about(&self) -> &'static str {
        "Path conditions of programs, as table 4.1"
    }

    fn families(&self) -> Vec<&'static str> {
        PROGRAMS.iter().map(|(_, family)| *family).collect()
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError> {
        Ok(vec![Part::Table(table(analysis.dataset)?)])
    }
}

/// A row of table 4.1: one program by one approach.
#[derive(Clone, Debug, PartialEq)]
pub struct Paths {
    /// As the study calls it.
    pub program: String,
    /// By which approach.
    pub approach: Approach,
    /// Milliseconds in the string solver, in total.
    pub string_ms: f64,
    /// Milliseconds in the integer solver, in total.
    pub integer_ms: f64,
    /// How often the string solver refused the integers that it was given.
    pub iterations: u64,
    /// How many path conditions these figures are of.
    pub path_conditions: u64,
    /// How many path conditions preprocessing refuted.
    pub preprocessed: u64,
    /// How many ran out of time.
    pub time_outs: u64,
}

/// The published rows.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn figures() -> Result<Vec<Paths>, PublishedError> {
    let columns = [
        "program",
        "approach",
        "string_ms",
        "integer_ms",
        "iterations",
        "path_conditions",
        "preprocessed",
        "time_outs",
    ];
    published!("table-4.1.csv").rows(&columns, |row| {
        Ok(Paths {
            program: row.text(0).to_owned(),
            approach: row.one_of(1, &Approach::names())?,
            string_ms: row.number(2)?,
            integer_ms: row.number(3)?,
            iterations: row.number(4)?,
            path_conditions: row.number(5)?,
            preprocessed: row.number(6)?,
            time_outs: row.number(7)?,
        })
    })
}

/// Published rows above measured ones, for each program.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn table(dataset: &Dataset) -> Result<Table, PublishedError> {
    let columns = vec![
        Column::text("program", "program"),
        Column::text("approach", "approach"),
        Column::text("source", "source"),
        Column::text("asked", "path conditions are asked"),
        Column::number("string_ms", "string, ms"),
        Column::number("integer_ms", "integer, ms"),
        Column::number("iterations", "iterations"),
        Column::number("path_conditions", "path conditions"),
        Column::number("preprocessed", "preprocessed"),
        Column::number("time_outs", "time-outs"),
        Column::number("others", "not solved otherwise").optional(),
    ];
    let mut table = Table::new("table-4.1", 1, columns);
    let published = figures()?;
    let programs: BTreeSet<&str> = published.iter().map(|row| row.program.as_str()).collect();
    let known = PROGRAMS.map(|(name, _)| name);
    for program in known.into_iter().chain(programs.into_iter().filter(|p| !known.contains(p))) {
        for approach in Approach::ALL {
            for row in published.iter().filter(|row| row.program == program && row.approach == approach) {
                table.push(published_row(row));
            }
        }
        if let Some((_, family)) = PROGRAMS.iter().find(|(name, _)| *name == program) {
            measured_rows(dataset, program, family, &mut table);
        }
    }
    table.note(
        "String and integer: total milliseconds in the two solvers. Iterations: how often the string solver refused the \
         integers that it was given. These, and the number of path conditions, are over the path conditions on which no \
         strategy of the two approaches ran out of time. Preprocessed: refuted by preprocessing alone.",
    );
    table.note(
        "The study asks for path conditions one after the other, as symbolic execution comes to them. Here that is one \
         script with many check-sats (\"together\"); the complete paths are asked for \"one by one\" too. A script that runs \
         out of time is one time-out, whatever it had answered.",
    );
    table.note(format!(
        "Limit: published, 3 s for a path condition, and what ran out of it was taken for unsatisfiable; measured, {} for \
         a script. Machine: published, an Intel Core 2 Duo at 2.00 GHz; measured, {}.",
        format::chosen(dataset.run.limits.time()),
        processor(dataset)
    ));
    table.note("Mystery is not measured: its source was not published.");
    Ok(table)
}

fn published_row(row: &Paths) -> Vec<Cell> {
    vec![
        Cell::text(&row.program),
        Cell::text(row.approach.name()),
        Cell::text("published"),
        Cell::text("one after the other"),
        Cell::text(row.string_ms.to_string()),
        Cell::text(row.integer_ms.to_string()),
        Cell::text(row.iterations.to_string()),
        Cell::text(row.path_conditions.to_string()),
        Cell::text(row.preprocessed.to_string()),
        Cell::text(row.time_outs.to_string()),
    ]
}

/// Sums over the scripts of one kind.
#[derive(Default)]
struct Sums {
    string_ms: f64,
    integer_ms: f64,
    iterations: u64,
    path_conditions: u64,
    preprocessed: u64,
    time_outs: usize,
    others: usize,
}

fn measured_rows(dataset: &Dataset, program: &str, family: &str, table: &mut Table) {
    let runs: Vec<Run<'_>> = Run::all(dataset).filter(|run| run.row.record.family == family).collect();
    let late: BTreeSet<&str> =
        runs.iter().filter(|run| run.row.status() == Status::Timeout).map(|run| run.row.task()).collect();
    // By strategy, and whether the script has several path conditions.
    let mut sums: BTreeMap<(&str, bool), Sums> = BTreeMap::new();
    for run in &runs {
        let sum = sums.entry((run.row.strategy(), run.asked > 1)).or_default();
        match run.row.status() {
            Status::Timeout => sum.time_outs += 1,
            status if !status.is_solved() => sum.others += 1,
            _ => {
                sum.preprocessed += run.counter("refuted_by_preprocessing");
                if !late.contains(run.row.task()) {
                    sum.string_ms += run.phase_ms("string");
                    sum.integer_ms += run.phase_ms("integer");
                    sum.iterations += run.refusals();
                    sum.path_conditions += run.asked;
                }
            }
        }
    }
    for (approach, strategy) in strategies(dataset) {
        for (many, asked) in [(true, "together"), (false, "one by one")] {
            let Some(sum) = sums.get(&(strategy, many)) else { continue };
            let ms = |ms: f64| Cell::pair(format::significant(ms), ms.to_string());
            table.push(vec![
                Cell::text(program),
                Cell::text(approach.name()),
                Cell::text(strategy),
                Cell::text(asked),
                ms(sum.string_ms),
                ms(sum.integer_ms),
                Cell::text(sum.iterations.to_string()),
                Cell::text(sum.path_conditions.to_string()),
                Cell::text(sum.preprocessed.to_string()),
                Cell::count(sum.time_outs),
                Cell::count(sum.others),
            ]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_path_conditions_add_up() {
        let paths = figures().unwrap();
        assert_eq!(paths.len(), 6);
        assert!(paths.chunks(3).all(|rows| rows.iter().map(|r| r.path_conditions).sum::<u64>() == 6170));
    }
}
