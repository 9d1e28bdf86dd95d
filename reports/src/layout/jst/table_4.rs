//! JST's table 4: relaxed against full solving on path trees.

use super::{
    Found, INPUTS, STOPPED, Ways, columns, limits, measured_row, published_row, rows, strategies, tree, way,
};
use crate::analysis::Analysis;
use crate::dataset::{Dataset, Row};
use crate::layout::{Layout, Part};
use crate::output::ReportError;
use crate::published::{PublishedError, published};
use crate::table::Table;

/// The families of the trees: example B, then example A.
const FAMILIES: [&str; 2] = ["jst/example-b", "jst/example-a"];

/// JST's table 4.
#[derive(Debug)]
pub struct JstTable4;

impl Layout for JstTable4 {
    fn name(&self) -> &'static str {
        "jst-table-4"
    }

    fn about(&self) -> &'static str {
        "Path trees in relaxed and in full mode, as JST's table 4"
    }

    fn families(&self) -> Vec<&'static str> {
        FAMILIES.to_vec()
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError> {
        Ok(vec![Part::Table(table(analysis.dataset)?)])
    }
}

/// The published rows: relaxed against full solving on example B.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn figures() -> Result<Vec<Ways>, PublishedError> {
    let columns = [
        "inputs",
        "relaxed_true",
        "relaxed_tentative",
        "relaxed_exceptions",
        "relaxed_time",
        "full_true",
        "full_exceptions",
        "full_time",
    ];
    published!("jst-table-4.csv").rows(&columns, |row| {
        Ok(Ways {
            inputs: row.text(0).to_owned(),
            with: Found {
                true_paths: row.number_or_none(1)?,
                tentative: row.number_or_none(2)?,
                exceptions: row.number_or_none(3)?,
                time: row.text(4).to_owned(),
            },
            without: Found {
                true_paths: row.number_or_none(5)?,
                tentative: None,
                exceptions: row.number_or_none(6)?,
                time: row.text(7).to_owned(),
            },
        })
    })
}

/// Table 4: published rows above measured ones, for each choice of symbolic inputs; then the trees of example
/// A, whose published figures (table III) are of relaxed mode only and are not shown.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn table(dataset: &Dataset) -> Result<Table, PublishedError> {
    let mut table = Table::new("jst-table-4", 0, columns("way", "way"));
    let names = strategies(dataset);
    let way = |row: &Row| way(dataset, row.strategy());
    for published in figures()? {
        let inputs = &published.inputs;
        table.push(published_row(inputs, "relaxed", &published.with));
        table.push(published_row(inputs, "full", &published.without));
        if let Some((_, name)) = INPUTS.iter().find(|(paper, _)| paper == inputs) {
            for row in rows(dataset, FAMILIES[0], name, &names) {
                table.push(measured_row(dataset, inputs, way(row), row));
            }
        }
    }
    let mut others: Vec<&str> =
        dataset.rows().iter().filter(|row| row.record.family == FAMILIES[1]).map(tree).collect();
    others.sort_unstable();
    others.dedup();
    for name in others {
        for row in rows(dataset, FAMILIES[1], name, &names) {
            table.push(measured_row(dataset, &format!("example A, {name}"), way(row), row));
        }
    }
    table.note(
        "The paper's example B is a financial application that is not public; the trees here are of small programs of our own. \
         Only the shape can be compared: how many tentative paths relaxed solving leaves, and what full solving at every \
         node costs.",
    );
    table.note(
        "True paths and exception paths: ends of paths with a model that was checked. Tentative: ends that throw nothing \
         and that relaxed solving does not refute, the true ones among them. Nodes left open: neither a model nor a \
         refutation, most of them inner nodes above infeasible ends. Where no node has a model there is no time: nothing confirms the \
         run.",
    );
    table.note(STOPPED);
    table.note(limits(dataset));
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_those_of_the_paper() {
        let relaxed = figures().unwrap();
        assert_eq!(relaxed.len(), 8);
        assert_eq!(relaxed.iter().filter(|row| row.without.true_paths.is_none()).count(), 5);
        assert!(relaxed[..3].iter().all(|row| row.with.tentative > row.with.true_paths));
    }
}
