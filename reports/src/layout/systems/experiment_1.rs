//! Experiment 1: differences of ten expressions as systems of one variable, yes- and no-instances apart
//! (figure 4.5).

use super::{DPRLE, HAMPI, REX, STRSOLVE, is_yes, times};
use crate::analysis::Analysis;
use crate::claim::measure::{Pairs, Side, Value};
use crate::claim::{Claim, Expected, Finding, Unit};
use crate::dataset::{Dataset, Row};
use crate::layout::{Layout, Part};
use crate::output::ReportError;
use crate::plot::Plot;
use crate::plot::boxes::{Boxes, Group, Sample};
use crate::stats::sample::quantile;
use crate::strategy::Kind;
use crate::table::{Cell, Column, Table};

/// The family of the tasks.
const FAMILY: &str = "systems/li2009/difference";

/// Experiment 1.
#[derive(Debug)]
pub struct Experiment1;

impl Layout for Experiment1 {
    fn name(&self) -> &'static str {
        "experiment-1"
    }

    fn about(&self) -> &'static str {
        "Differences of ten expressions as systems, as figure 4.5 of the study"
    }

    fn families(&self) -> Vec<&'static str> {
        vec![FAMILY]
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError> {
        Ok(vec![Part::Table(table(analysis.dataset)), Part::Plot(plot(analysis.dataset)?)])
    }

    fn claims(&self, analysis: &Analysis<'_>) -> Result<Vec<Finding>, ReportError> {
        let dataset = analysis.dataset;
        let yes = |row: &Row| row.record.family == FAMILY && is_yes(dataset, row);
        let all = |row: &Row| row.record.family == FAMILY;
        let lazy = times(dataset, STRSOLVE, yes);
        let limit = dataset.run.limits.time().as_secs_f64();
        let faster_than = |kind: Kind| {
            // That there is no word up to a bound is no answer where there is a word.
            let slow = times(dataset, kind, |row| yes(row) && !row.is_within_bound());
            Pairs::new(&slow, &lazy, dataset.run.seed).and_then(|pairs| pairs.with_limit(limit).medians())
        };
        let [dprle, hampi, rex, solved] = CLAIMS;
        Ok(vec![
            dprle.judge(faster_than(DPRLE)),
            hampi.judge(faster_than(HAMPI)),
            rex.judge(faster_than(REX)),
            solved.judge(times(dataset, STRSOLVE, all).share(|value| matches!(value, Value::Number(_)))),
        ])
    }
}

/// "Almost an order of magnitude".
const ORDER: (f64, f64) = (5.0, 10.0);

const PLACE: &str = "Hooimeijer, section 4.2.1, figure 4.5";

/// What an ablation told: the same systems by `strsolve-predicate` and `sfa-ranges-lazy`.
const REX_REASON: &str = "The calls of Z3: over its predicates the lazy search itself takes some 700 times as long as \
    over ranges, and what stands for Rex takes a twentieth of its time over ranges.";

/// What phases told.
const HAMPI_REASON: &str = "By phases: Hampi unrolls six lengths in the median, and this encoding is two thirds of its \
    time; the SAT solver is a tenth.";

const CLAIMS: [Claim; 4] = [
    Claim {
        id: "faster-than-dprle",
        place: PLACE,
        says: "the lazy search is almost an order of magnitude faster than DPRLE on differences that have a word",
        measure: "the median time, dprle : strsolve, of the differences that have a word",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: Some(ORDER),
        reason: None,
    },
    Claim {
        id: "faster-than-hampi",
        place: PLACE,
        says: "the lazy search is almost an order of magnitude faster than Hampi on differences that have a word",
        measure: "the median time, hampi on a SAT solver : strsolve, of the differences that have a word",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: Some(ORDER),
        reason: Some(HAMPI_REASON),
    },
    Claim {
        id: "faster-than-rex",
        place: PLACE,
        says: "the lazy search is almost an order of magnitude faster than Rex on differences that have a word",
        measure: "the median time, rex : strsolve, of the differences that have a word",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: Some(ORDER),
        reason: Some(REX_REASON),
    },
    Claim {
        id: "strsolve-solves-all",
        place: PLACE,
        says: "the lazy search answers all differences",
        measure: "the share solved by strsolve",
        unit: Unit::Share,
        expected: Expected::Within(0.95, 1.0),
        published: Some((1.0, 1.0)),
        reason: None,
    },
];

/// Tasks that have a word, and those that have none.
const INSTANCES: [(&str, bool); 2] = [("yes", true), ("no", false)];

/// The own times of a strategy on one kind of task; no values where it has no such records.
fn side(dataset: &Dataset, strategy: &str, wanted: bool) -> Side {
    let keep = |row: &Row| row.record.family == FAMILY && is_yes(dataset, row) == wanted;
    // That there is no word up to a bound is an answer, as the study has it, where there is none at all.
    let time = |row: &Row| if wanted && row.is_within_bound() { None } else { dataset.own_s(row) };
    Side::of(dataset, strategy, keep, "without a time", time)
}

/// A box for each strategy and kind of task, as figure 4.5.
fn plot(dataset: &Dataset) -> Result<Plot, ReportError> {
    let group = |name: &str| Group {
        label: name.to_owned(),
        samples: (0..)
            .zip(INSTANCES)
            .map(|(kind, (_, wanted))| {
                let side = side(dataset, name, wanted);
                Sample { kind, tasks: side.values.len(), times: super::numbers(&side) }
            })
            .filter(|sample| sample.tasks > 0)
            .collect(),
    };
    let groups: Vec<Group> = dataset.strategies().into_iter().map(group).collect();
    let boxes = Boxes {
        title: "Differences of ten expressions",
        subtitle: "as figure 4.5: the time of the decision, of the tasks that a strategy solves",
        y_label: "time of the task",
        kinds: &["there is a word", "there is none"],
        groups: &groups,
    };
    let alt = "Box plots of times by strategy, tasks with and without a word apart".to_owned();
    Plot::new("experiment-1", alt, (boxes.svg(), boxes.csv()))
}

/// For each strategy how many it solves and how its times are distributed, yes- and no-instances apart.
pub fn table(dataset: &Dataset) -> Table {
    let mut table = Table::new(
        "experiment-1",
        0,
        vec![
            Column::text("strategy", "strategy"),
            Column::text("instances", "instances"),
            Column::number("tasks", "tasks"),
            Column::number("solved", "solved"),
            Column::number("p5_s", "5 %"),
            Column::number("p25_s", "25 %"),
            Column::number("median_s", "median"),
            Column::number("p75_s", "75 %"),
            Column::number("p95_s", "95 %"),
        ],
    );
    for name in dataset.strategies() {
        for (instances, wanted) in INSTANCES {
            let side = side(dataset, name, wanted);
            if side.values.is_empty() {
                continue;
            }
            let numbers = super::numbers(&side);
            let mut row = vec![
                Cell::text(name),
                Cell::text(instances),
                Cell::count(side.values.len()),
                Cell::count(numbers.len()),
            ];
            row.extend([0.05, 0.25, 0.5, 0.75, 0.95].map(|q| Cell::seconds(quantile(&numbers, q))));
            table.push(row);
        }
    }
    table.note("Times are of the tasks that a strategy solves.");
    table
}
