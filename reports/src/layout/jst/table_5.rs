//! JST's table 5: path trees with and without linear models of rounding.

use super::{Found, INPUTS, STOPPED, Ways, columns, limits, measured_row, published_row, rows, strategies};
use crate::analysis::Analysis;
use crate::dataset::Dataset;
use crate::layout::{Layout, Part};
use crate::output::ReportError;
use crate::published::{PublishedError, published};
use crate::table::Table;

/// The families of the trees of example C: with linear models, then without.
const FAMILIES: [&str; 2] = ["jst/example-c", "jst/example-c/no-models"];

/// JST's table 5.
#[derive(Debug)]
pub struct JstTable5;

impl Layout for JstTable5 {
    fn name(&self) -> &'static str {
        "jst-table-5"
    }

    fn about(&self) -> &'static str {
        "Path trees with and without models of rounding, as JST's table 5"
    }

    fn families(&self) -> Vec<&'static str> {
        FAMILIES.to_vec()
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError> {
        Ok(vec![Part::Table(table(analysis.dataset)?)])
    }
}

/// The published rows: with and without linear models of rounding on example C.
///
/// # Errors
///
/// When the file, which is part of the program, is damaged.
pub fn figures() -> Result<Vec<Ways>, PublishedError> {
    let columns = [
        "inputs",
        "models_true",
        "models_exceptions",
        "models_time",
        "none_true",
        "none_exceptions",
        "none_time",
    ];
    published!("jst-table-5.csv").rows(&columns, |row| {
        let found = |column| {
            Ok::<_, String>(Found {
                true_paths: row.number_or_none(column)?,
                tentative: None,
                exceptions: row.number_or_none(column + 1)?,
                time: row.text(column + 2).to_owned(),
            })
        };
        Ok(Ways { inputs: row.text(0).to_owned(), with: found(1)?, without: found(4)? })
    })
}

/// Table 5: published rows above measured ones, with and without linear models.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn table(dataset: &Dataset) -> Result<Table, PublishedError> {
    const LINEAR: &str = "linear models";
    const NONE: &str = "none";
    let mut table = Table::new("jst-table-5", 0, columns("rounding", "models of rounding"));
    let names = strategies(dataset);
    for published in figures()? {
        let inputs = &published.inputs;
        table.push(published_row(inputs, LINEAR, &published.with));
        table.push(published_row(inputs, NONE, &published.without));
        if let Some((_, name)) = INPUTS.iter().find(|(paper, _)| paper == inputs) {
            for (family, way) in FAMILIES.into_iter().zip([LINEAR, NONE]) {
                for row in rows(dataset, family, name, &names) {
                    table.push(measured_row(dataset, inputs, way, row));
                }
            }
        }
    }
    table.note(
        "The paper's example C is not public; the trees here are ours. With linear models: BigDecimal.setScale as integer \
         arithmetic on scaled decimals. Without: theirs asks the non-linear solver Coral; here the same tree rounds digit by \
         digit, through the text of the number, as code does that no model stands for.",
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
        assert_eq!(figures().unwrap().iter().map(|row| row.with.exceptions.unwrap()).sum::<u64>(), 82);
    }
}
