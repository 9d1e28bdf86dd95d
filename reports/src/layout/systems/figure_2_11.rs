//! Figure 2.11: seventeen pages whose inputs can change what a query means.

use super::{DPRLE, MINIMISED, states, times};
use crate::analysis::Analysis;
use crate::claim::measure::{Pairs, Value};
use crate::claim::{Claim, Expected, Finding, Unit};
use crate::dataset::{Dataset, Row};
use crate::layout::{Layout, Part};
use crate::output::ReportError;
use crate::published::{PublishedError, published};
use crate::table::{Cell, Column, Table};

/// The family of the tasks.
const FAMILY: &str = "sql-injection";

/// Figure 2.11.
#[derive(Debug)]
pub struct Figure211;

impl Layout for Figure211 {
    fn name(&self) -> &'static str {
        "figure-2.11"
    }

    fn about(&self) -> &'static str {
        "Inputs that change a query, as figure 2.11 of the study"
    }

    fn families(&self) -> Vec<&'static str> {
        vec![FAMILY]
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError> {
        Ok(vec![Part::Table(table(analysis.dataset)?)])
    }

    fn claims(&self, analysis: &Analysis<'_>) -> Result<Vec<Finding>, ReportError> {
        let dataset = analysis.dataset;
        let pages = |row: &Row| row.record.family == FAMILY;
        let published = figures()?;
        #[expect(clippy::cast_precision_loss, reason = "seventeen")]
        let under =
            published.iter().filter(|page| page.seconds < 1.0).count() as f64 / published.len() as f64;
        let [second, minimised] = CLAIMS;
        let eager = times(dataset, DPRLE, pages);
        let pairs =
            Pairs::new(&states(dataset, DPRLE, pages), &states(dataset, MINIMISED, pages), dataset.run.seed);
        Ok(vec![
            Claim { published: Some((under, under)), ..second }
                .judge(eager.share(|value| matches!(value, Value::Number(time) if time < 1.0))),
            minimised.judge(pairs.and_then(|pairs| pairs.totals())),
        ])
    }
}

const CLAIMS: [Claim; 2] = [
    Claim {
        id: "under-a-second",
        place: "Hooimeijer, section 2.4, figure 2.11",
        says: "most pages take less than a second",
        measure: "the share of pages that dprle solves in less than a second",
        unit: Unit::Share,
        expected: Expected::Above(0.5),
        published: None,
        reason: None,
    },
    Claim {
        id: "minimise-helps",
        place: "Hooimeijer, section 2.4",
        says: "minimising automata on the way might help where they are large",
        measure: "all states, dprle : dprle-minimise, of the pages that both solve",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: None,
        reason: None,
    },
];

/// A page as published.
struct Page {
    name: String,
    constraints: usize,
    seconds: f64,
}

fn figures() -> Result<Vec<Page>, PublishedError> {
    published!("figure-2.11.csv").rows(&["page", "blocks", "constraints", "seconds"], |row| {
        Ok(Page { name: row.text(0).to_owned(), constraints: row.number(2)?, seconds: row.number(3)? })
    })
}

/// For each page the published time and those of the run's strategies.
///
/// # Errors
///
/// When the published figures are damaged.
pub fn table(dataset: &Dataset) -> Result<Table, PublishedError> {
    let names = dataset.strategies();
    let mut columns = vec![
        Column::text("page", "page"),
        Column::number("constraints", "constraints"),
        Column::number("published_s", "published"),
    ];
    columns.extend(names.iter().map(|name| Column::number(&format!("{name}_s"), name)));
    let mut table = Table::new("figure-2.11", 0, columns);
    for page in figures()? {
        let mut row =
            vec![Cell::text(&page.name), Cell::count(page.constraints), Cell::seconds(Some(page.seconds))];
        let is_page =
            |row: &&Row| row.record.family == FAMILY && row.task().ends_with(&format!("/{}", page.name));
        for name in &names {
            let found = dataset.rows().iter().filter(is_page).find(|row| row.strategy() == *name);
            row.push(match found {
                None => Cell::absent(),
                Some(row) => match dataset.own_s(row) {
                    Some(time) => Cell::seconds(Some(time)),
                    None => Cell::text(row.status().name()),
                },
            });
        }
        table.push(row);
    }
    table.note("The pages of the run are made up: they have the published numbers of constraints, not the constraints.");
    Ok(table)
}
