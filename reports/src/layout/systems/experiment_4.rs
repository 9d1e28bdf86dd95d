//! Experiment 4: words that two context-free grammars have in common, by length (figure 4.9).

use std::collections::BTreeSet;

use super::{HAMPI, STRSOLVE, times};
use crate::analysis::Analysis;
use crate::claim::measure::{Pairs, Side};
use crate::claim::{Claim, Expected, Finding, Measured, Unit};
use crate::dataset::{Dataset, Row};
use crate::layout::{Layout, Part};
use crate::output::ReportError;
use crate::plot::Plot;
use crate::plot::boxes::{Boxes, Group, Sample};
use crate::stats::sample::quantile;
use crate::strategy::Kind;
use crate::table::{Cell, Column, Table};

/// The family of the tasks.
const FAMILY: &str = "random-grammars";

/// Grammars as clauses for a SAT solver.
const CFG: Kind = Kind::new("cfg", &[]);

/// Experiment 4.
#[derive(Debug)]
pub struct Experiment4;

impl Layout for Experiment4 {
    fn name(&self) -> &'static str {
        "experiment-4"
    }

    fn about(&self) -> &'static str {
        "Words of two context-free grammars, as figure 4.9 of the study"
    }

    fn families(&self) -> Vec<&'static str> {
        vec![FAMILY]
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError> {
        Ok(vec![Part::Table(table(analysis.dataset)), Part::Plot(plot(analysis.dataset)?)])
    }

    fn claims(&self, analysis: &Analysis<'_>) -> Result<Vec<Finding>, ReportError> {
        let dataset = analysis.dataset;
        let of = |kind| times(dataset, kind, |row| row.record.family == FAMILY);
        let lazy = of(STRSOLVE);
        let [cfg, hampi] = CLAIMS;
        Ok(vec![cfg.judge(factor(dataset, &of(CFG), &lazy)), hampi.judge(factor(dataset, &of(HAMPI), &lazy))])
    }
}

/// How much more time one takes than the other.
fn factor(dataset: &Dataset, slow: &Side, fast: &Side) -> Result<Measured, String> {
    let limit = dataset.run.limits.time().as_secs_f64();
    Pairs::new(slow, fast, dataset.run.seed).and_then(|pairs| pairs.with_limit(limit).medians())
}

/// "Just under an order of magnitude".
const ORDER: (f64, f64) = (5.0, 10.0);

const PLACE: &str = "Hooimeijer, section 4.2.4, figure 4.9";

/// What phases told of one run of the configuration and of one of published grammars.
const REASON: &str = "By phases: the bounding of the grammars is nine tenths of strsolve's time, which the study \
    says of its prototype, too, and the encoding two thirds to nine tenths of the median time of cfg and \
    hampi-sat. So the factor is that between two ways to write out a grammar, and is another for other \
    grammars: on 200 pairs of published ones, up to 8 characters long, cfg takes half of strsolve's time. Without \
    the bounding it is 6 at length 5 and above 100 at length 12.";

const CLAIMS: [Claim; 2] = [
    Claim {
        id: "faster-than-cfg-analyzer",
        place: PLACE,
        says: "the lazy search is, in general, just under an order of magnitude faster than CFG Analyzer",
        measure: "the median time, cfg : strsolve, bounding into a regular language included",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: Some(ORDER),
        reason: Some(REASON),
    },
    Claim {
        id: "faster-than-hampi",
        place: PLACE,
        says: "the lazy search is, in general, just under an order of magnitude faster than Hampi",
        measure: "the median time, hampi on a SAT solver : strsolve, bounding into a regular language included",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: Some(ORDER),
        reason: Some(REASON),
    },
];

/// The length that a task asks for.
fn length(task: &str) -> Option<u64> {
    task.rsplit_once("/len")?.1.parse().ok()
}

/// The lengths that are asked for.
fn lengths(dataset: &Dataset) -> BTreeSet<u64> {
    let here = |row: &&Row| row.record.family == FAMILY;
    dataset.rows().iter().filter(here).filter_map(|row| length(row.task())).collect()
}

/// The own times of a strategy on the pairs that are asked about one length.
fn side(dataset: &Dataset, strategy: &str, wanted: u64) -> Side {
    let keep = |row: &Row| row.record.family == FAMILY && length(row.task()) == Some(wanted);
    Side::of(dataset, strategy, keep, "without a time", |row| dataset.own_s(row))
}

/// A box for each strategy and length, as figure 4.9.
fn plot(dataset: &Dataset) -> Result<Plot, ReportError> {
    let lengths = lengths(dataset);
    let kinds: Vec<String> = lengths.iter().map(|length| format!("length {length}")).collect();
    let kinds: Vec<&str> = kinds.iter().map(String::as_str).collect();
    let group = |name: &str| Group {
        label: name.to_owned(),
        samples: (0..)
            .zip(&lengths)
            .map(|(kind, &length)| {
                let side = side(dataset, name, length);
                Sample { kind, tasks: side.values.len(), times: super::numbers(&side) }
            })
            .filter(|sample| sample.tasks > 0)
            .collect(),
    };
    let groups: Vec<Group> = dataset.strategies().into_iter().map(group).collect();
    let boxes = Boxes {
        title: "Words of two context-free grammars",
        subtitle: "as figure 4.9: the time of the decision, of the pairs that a strategy answers",
        y_label: "time of the task",
        kinds: &kinds,
        groups: &groups,
    };
    let alt = "Box plots of times by strategy and length".to_owned();
    Plot::new("experiment-4", alt, (boxes.svg(), boxes.csv()))
}

/// For each length and strategy how many pairs have a word, and how times are distributed.
fn table(dataset: &Dataset) -> Table {
    let mut table = Table::new(
        "experiment-4",
        0,
        vec![
            Column::number("length", "length"),
            Column::text("strategy", "strategy"),
            Column::number("pairs", "pairs"),
            Column::number("words", "with a word"),
            Column::number("solved", "solved"),
            Column::number("p5_s", "5 %"),
            Column::number("p25_s", "25 %"),
            Column::number("median_s", "median"),
            Column::number("p75_s", "75 %"),
            Column::number("p95_s", "95 %"),
        ],
    );
    for wanted in lengths(dataset) {
        for name in dataset.strategies() {
            let keep = |row: &Row| row.record.family == FAMILY && length(row.task()) == Some(wanted);
            let side = side(dataset, name, wanted);
            if side.values.is_empty() {
                continue;
            }
            let words = dataset
                .rows()
                .iter()
                .filter(|row| row.strategy() == name && keep(row) && row.record.key.repeat == 0)
                .filter(|row| {
                    row.status() == harness_model::Status::Answered(harness_model::Verdict::Nonempty)
                });
            let words = words.count();
            let numbers = super::numbers(&side);
            let mut row = vec![
                Cell::text(wanted.to_string()),
                Cell::text(name),
                Cell::count(side.values.len()),
                Cell::count(words),
                Cell::count(numbers.len()),
            ];
            row.extend([0.05, 0.25, 0.5, 0.75, 0.95].map(|q| Cell::seconds(quantile(&numbers, q))));
            table.push(row);
        }
    }
    table.note(
        "Times are of the pairs that a strategy answers. The pairs are random ones, not those of the study.",
    );
    table
}
