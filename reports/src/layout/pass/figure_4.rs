//! PASS's figure 4: 70 and 30 tricky path conditions.

use harness_model::{Status, Verdict};

use super::{METHODS, method, strategies};
use crate::analysis::Analysis;
use crate::dataset::{Dataset, Row};
use crate::format;
use crate::layout::{Layout, Part};
use crate::output::ReportError;
use crate::overview::total;
use crate::published::{PublishedError, published};
use crate::table::{Cell, Column, Table};

/// The two sets, with their families and sizes.
const SETS: [(&str, u64); 2] = [("pass/stress/set-1", 70), ("pass/stress/set-2", 30)];

/// PASS's figure 4.
#[derive(Debug)]
pub struct PassFigure4;

impl Layout for PassFigure4 {
    fn name(&self) -> &'static str {
        "pass-figure-4"
    }

    fn about(&self) -> &'static str {
        "Arrays, automata and both on two sets of conditions, as PASS's figure 4"
    }

    fn families(&self) -> Vec<&'static str> {
        SETS.iter().map(|(family, _)| *family).collect()
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError> {
        Ok(vec![Part::Table(table(analysis.dataset)?)])
    }
}

/// A row of PASS's figure 4: one method on the two sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Sets {
    /// `parray`, `parray+qelim`, `automaton`, `parray+automaton` or `parray+automaton+qelim`.
    pub method: String,
    /// Of each set: how many were solved, and the seconds for these.
    pub sets: [(u64, Option<f64>); 2],
}

/// The published rows.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn figures() -> Result<Vec<Sets>, PublishedError> {
    let columns = ["method", "set_1_solved", "set_1_s", "set_2_solved", "set_2_s"];
    published!("pass-figure-4.csv").rows(&columns, |row| {
        let set = |column| Ok::<_, String>((row.number(column)?, row.number_or_none(column + 1)?));
        Ok(Sets { method: row.text(0).to_owned(), sets: [set(1)?, set(3)?] })
    })
}

/// Figure 4: solved and time in the two sets, for each method and for strategies that the paper does not
/// have.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn table(dataset: &Dataset) -> Result<Table, PublishedError> {
    let columns = vec![
        Column::text("method", "method"),
        Column::text("source", "source"),
        Column::number("set_1_solved", "set 1 (70), solved"),
        Column::number("set_1_s", "time"),
        Column::number("set_2_solved", "set 2 (30), solved"),
        Column::number("set_2_s", "time"),
        Column::number("solved", "solved of 100"),
        Column::number("within_bound", "of these, within a bound").optional(),
        Column::number("unknown", "unknown"),
        Column::number("unsupported", "unsupported"),
        Column::number("limits", "out of time or memory"),
        Column::number("failed", "crashed, wrong or invalid").optional(),
    ];
    let mut table = Table::new("pass-figure-4", 0, columns);
    let published = figures()?;
    let names = strategies(dataset);
    for (method, kind) in METHODS {
        for row in published.iter().filter(|row| row.method == method) {
            table.push(published_row(row));
        }
        for strategy in kind.all(dataset) {
            table.push(measured_row(dataset, method, strategy));
        }
    }
    for strategy in names.iter().filter(|name| method(dataset, name).is_empty()) {
        table.push(measured_row(dataset, "", strategy));
    }
    table.note(
        "The published conditions are from real applications and stress tests and are not available. The measured ones are ours, \
         of the same number and kind: which ones a method solves cannot be compared one by one, and the published sets \
         were divided by what Yices could do. Of set 1 Yices answered 55 for pure parrays; two of these models were incorrect, \
         so 53 are counted. Here every model is checked.",
    );
    table.note(format!(
        "Time is of the solved conditions only, of the phase solve. Limit here: {} for each. A row without a method is of a \
         strategy that the paper does not have.",
        format::chosen(dataset.run.limits.time())
    ));
    Ok(table)
}

fn published_row(row: &Sets) -> Vec<Cell> {
    let mut cells = vec![Cell::text(&row.method), Cell::text("published")];
    for (solved, time) in row.sets {
        cells.extend([Cell::text(solved.to_string()), Cell::seconds(time)]);
    }
    cells.push(Cell::text(row.sets.iter().map(|(solved, _)| solved).sum::<u64>().to_string()));
    cells
}

fn measured_row(dataset: &Dataset, method: &str, strategy: &str) -> Vec<Cell> {
    let mut cells = vec![Cell::text(method), Cell::text(strategy)];
    let of = |family: &str| -> Vec<&Row> {
        let rows = dataset.rows().iter();
        rows.filter(|row| row.strategy() == strategy && row.record.family == family).collect()
    };
    let mut all = Vec::new();
    for (family, size) in SETS {
        let rows = of(family);
        let times: Vec<f64> = rows.iter().filter_map(|row| row.solve_s()).collect();
        let solved = rows.iter().filter(|row| row.status().is_solved()).count();
        let shown = if rows.len() as u64 == size || rows.is_empty() {
            Cell::count(solved)
        } else {
            Cell::pair(format!("{solved} of {}", rows.len()), solved.to_string())
        };
        cells.extend([shown, Cell::seconds(total(&times))]);
        all.extend(rows);
    }
    let count =
        |wanted: &dyn Fn(Status) -> bool| Cell::count(all.iter().filter(|row| wanted(row.status())).count());
    cells.extend([
        count(&Status::is_solved),
        count(&|s| s == Status::Answered(Verdict::UnsatWithinBound)),
        count(&|s| s == Status::Answered(Verdict::Unknown)),
        count(&|s| s == Status::Unsupported),
        count(&|s| matches!(s, Status::Timeout | Status::Memout)),
        count(&|s| matches!(s, Status::Crash | Status::Error | Status::Wrong | Status::InvalidModel)),
    ]);
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_those_of_the_paper() {
        let figure = figures().unwrap();
        assert_eq!(figure.len(), 5);
        assert!(figure.iter().all(|row| row.sets[0].0 <= 70 && row.sets[1].0 <= 30));
        assert_eq!(figure[4].sets.map(|(solved, _)| solved), [70, 26]);
        assert_eq!(figure[0].sets[1], (0, None));
    }
}
