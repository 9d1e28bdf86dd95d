//! JST's table 5: path trees with and without linear models of rounding.

use harness_model::Status;

use super::{
    Found, INPUTS, STOPPED, Ways, columns, counter, found_before, limits, measured_row, published_factor,
    published_row, range, ratio_row, rows, side, strategies, strategy_of, tree,
};
use crate::analysis::Analysis;
use crate::claim::measure::{Pairs, Side, Value};
use crate::claim::{Claim, Expected, Finding, Unit};
use crate::dataset::{Dataset, Row};
use crate::layout::{Layout, Part};
use crate::output::ReportError;
use crate::published::{PublishedError, published};
use crate::stats::sample;
use crate::table::{Cell, Table};

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

    fn claims(&self, analysis: &Analysis<'_>) -> Result<Vec<Finding>, ReportError> {
        let dataset = analysis.dataset;
        let published = figures()?;
        let name = strategy_of(dataset, 0);
        let of = |family: usize, number: &dyn Fn(&Row) -> Option<f64>| {
            let side = side(dataset, name, &FAMILIES[family..=family], "without a model", number);
            let models = ["linear models", "none"][family];
            let name = format!("{} with {models}", side.name);
            side.called(&name)
        };
        let own = |row: &Row| dataset.own_s(row);
        let times = Pairs::new(&of(1, &own), &of(0, &own), dataset.run.seed);
        let limit = dataset.run.limits.time().as_secs_f64();
        let [with, without] = [0, 1].map(|family| found(dataset, name, family));
        let paths = Pairs::new(&with, &without, dataset.run.seed);
        let [faster, more] = CLAIMS;
        Ok(vec![
            Claim { published: range(&published, published_factor), ..faster }
                .judge(times.and_then(|pairs| pairs.with_limit(limit).totals())),
            Claim {
                published: range(&published, |row| {
                    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
                    let ratio = row.with.true_paths? as f64 / row.without.true_paths? as f64;
                    Some(ratio)
                }),
                ..more
            }
            .judge(paths.and_then(|pairs| pairs.totals())),
        ])
    }
}

const PLACE: &str = "Ghosh and others, section V, table V";

/// What the paper found; published figures are put in where they are read.
const CLAIMS: [Claim; 2] = [
    Claim {
        id: "models-faster",
        place: PLACE,
        says: "linear models of rounding make a tree orders of magnitude faster",
        measure: "the total time, none : linear models, of the trees of example C",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: None,
        reason: None,
    },
    Claim {
        id: "models-find-more",
        place: PLACE,
        says: "linear models of rounding find more paths",
        measure: "true paths, linear models : none, of the trees of example C, those found before a limit among them",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: None,
        reason: None,
    },
];

/// How many true paths were found in each tree, those before a limit among them.
fn found(dataset: &Dataset, strategy: &str, family: usize) -> Side {
    let is_here = |row: &&Row| row.strategy() == strategy && row.record.family == FAMILIES[family];
    let values = dataset.rows().iter().filter(is_here).filter(|row| row.record.key.repeat == 0).map(|row| {
        let value = match (row.status(), found_before(dataset, row)) {
            (
                Status::Unsupported | Status::Wrong | Status::InvalidModel | Status::Crash | Status::Error,
                _,
            ) => Value::Unfit(row.status().name()),
            (_, Some([paths, _])) => Value::Number(sample::count(paths)),
            (Status::Answered(_), None) => {
                counter(row, "paths_true").map_or(Value::Unfit("uncounted"), Value::Number)
            }
            (Status::Timeout | Status::Memout, None) => Value::Unfit("stopped without a count"),
        };
        (tree(row).to_owned(), value)
    });
    Side { name: format!("{strategy} on {}", FAMILIES[family]), values: values.collect() }
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

/// What rows of ratios are of.
const RATIO: &str = "none : linear models";

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
        table.push(ratio_row(inputs, RATIO, "published", published_factor(&published)));
        let tree = INPUTS.iter().find(|(paper, _)| paper == inputs);
        let mut times = [None; 2];
        let mut is_measured = false;
        for (place, (family, way)) in FAMILIES.into_iter().zip([LINEAR, NONE]).enumerate() {
            for row in tree.map_or_else(Vec::new, |(_, name)| rows(dataset, family, name, &names)) {
                table.push(measured_row(dataset, inputs, way, row));
                is_measured = true;
                if row.strategy() == strategy_of(dataset, 0) && times[place].is_none() {
                    times[place] = dataset.own_s(row);
                }
            }
        }
        if !is_measured {
            table.push([inputs.as_str(), "", "not measured: not in this run"].map(Cell::text).to_vec());
        }
        if let [Some(with), Some(without)] = times {
            table.push(ratio_row(inputs, RATIO, strategy_of(dataset, 0), Some(without / with)));
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
