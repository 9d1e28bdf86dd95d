//! Experiment 3: one variable in two languages of long words, by their length (figure 4.8).

use std::collections::BTreeMap;

use super::{DPRLE, HAMPI, REX, STRSOLVE, states, times};
use crate::analysis::Analysis;
use crate::claim::measure::{Pairs, Side, Value, exact};
use crate::claim::{Claim, Expected, Finding, Measured, Unit};
use crate::dataset::{Dataset, Row};
use crate::layout::{Layout, Part};
use crate::output::ReportError;
use crate::plot::Plot;
use crate::plot::scale;
use crate::plot::scaling::{Scaling, Series};
use crate::table::{Cell, Column, Table};

/// The family of the tasks.
const FAMILY: &str = "long-systems";

/// The length at which the study counts states.
const COUNTED: u64 = 1000;

/// States at that length: eagerly, and lazily.
const PUBLISHED: (f64, f64) = (1_004_011.0, 1_010.0);

/// Experiment 3.
#[derive(Debug)]
pub struct Experiment3;

impl Layout for Experiment3 {
    fn name(&self) -> &'static str {
        "experiment-3"
    }

    fn about(&self) -> &'static str {
        "Long strings, as figure 4.8 of the study"
    }

    fn families(&self) -> Vec<&'static str> {
        vec![FAMILY]
    }

    fn build(&self, analysis: &Analysis<'_>) -> Result<Vec<Part>, ReportError> {
        let dataset = analysis.dataset;
        Ok(vec![
            Part::Table(table(dataset)),
            Part::Plot(times_plot(dataset)?),
            Part::Plot(states_made(dataset)?),
        ])
    }

    fn claims(&self, analysis: &Analysis<'_>) -> Result<Vec<Finding>, ReportError> {
        let dataset = analysis.dataset;
        let states_of = |kind| states(dataset, kind, |row| row.record.family == FAMILY);
        let times_of = |kind| times(dataset, kind, |row| row.record.family == FAMILY);
        let (eager, lazy) = (states_of(DPRLE), states_of(STRSOLVE));
        let [dprle, strsolve, hampi, rex] = [DPRLE, STRSOLVE, HAMPI, REX].map(times_of);
        let faster_than =
            |slow: &Side| Pairs::new(slow, &strsolve, dataset.run.seed).and_then(|pairs| pairs.mean_ratio());
        let [fraction, linear, quadratic, hampi_slower, crossing, rex_slower, rex_linear] = CLAIMS;
        let published = PUBLISHED.0 / PUBLISHED.1;
        Ok(vec![
            Claim { published: Some((published, published)), ..fraction }.judge(ratio(&eager, &lazy)),
            linear.judge(growth(&lazy)),
            quadratic.judge(growth(&eager)),
            hampi_slower.judge(faster_than(&hampi)),
            crossing.judge(crossed(&dprle, &hampi)),
            rex_slower.judge(faster_than(&rex)),
            rex_linear.judge(growth(&rex)),
        ])
    }
}

const PLACE: &str = "Hooimeijer, section 4.2.3, figure 4.8";

const CLAIMS: [Claim; 7] = [
    Claim {
        id: "fraction-of-states",
        place: PLACE,
        says: "the lazy search makes only a fraction of the states",
        measure: "the states at n = 1000, dprle : strsolve",
        unit: Unit::Times,
        expected: Expected::Above(100.0),
        published: None,
        reason: None,
    },
    Claim {
        id: "strsolve-linear",
        place: PLACE,
        says: "the lazy search scales linearly with n",
        measure: "the exponent of n in the states of strsolve, by the shortest and the longest words",
        unit: Unit::Count,
        expected: Expected::Within(0.8, 1.2),
        published: None,
        reason: None,
    },
    Claim {
        id: "dprle-poorer",
        place: PLACE,
        says: "the eager way scales considerably worse",
        measure: "the exponent of n in the states of dprle, by the shortest and the longest words",
        unit: Unit::Count,
        expected: Expected::Above(1.5),
        published: None,
        reason: None,
    },
    Claim {
        id: "faster-than-hampi",
        place: PLACE,
        says: "the lazy search is 118 times faster than Hampi on average, 4.4 to 239 times",
        measure: "the mean ratio of times over n, hampi on a SAT solver, told the length : strsolve",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: Some((4.4, 239.0)),
        reason: None,
    },
    Claim {
        id: "dprle-beats-hampi-at-first",
        place: PLACE,
        says: "the eager way is faster than Hampi up to n = 55, and slower from there on",
        measure: "the largest n at which dprle takes less time than hampi on a SAT solver",
        unit: Unit::Count,
        expected: Expected::Within(10.0, 550.0),
        published: Some((55.0, 55.0)),
        reason: None,
    },
    Claim {
        id: "rex-slower",
        place: PLACE,
        says: "Rex has a much higher constant cost than the lazy search",
        measure: "the mean ratio of times over n, rex : strsolve",
        unit: Unit::Times,
        expected: Expected::Above(1.0),
        published: None,
        reason: None,
    },
    Claim {
        id: "rex-linear",
        place: PLACE,
        says: "Rex scales linearly with n",
        measure: "the exponent of n in the time of rex, by the shortest and the longest words",
        unit: Unit::Count,
        expected: Expected::Within(0.5, 1.3),
        published: None,
        reason: None,
    },
];

/// The length of a task's words.
fn length(task: &str) -> Option<u64> {
    task.rsplit_once("/n")?.1.parse().ok()
}

/// The counts of a side by length.
fn counts(side: &Side) -> BTreeMap<u64, f64> {
    let number = |(task, value): (&String, &Value)| match value {
        Value::Number(number) => Some((length(task)?, *number)),
        Value::Lost(_) | Value::Unfit(_) => None,
    };
    side.values.iter().filter_map(number).collect()
}

fn ratio(eager: &Side, lazy: &Side) -> Result<Measured, String> {
    let at = |side: &Side| counts(side).get(&COUNTED).copied().filter(|count| *count > 0.0);
    let (Some(one), Some(other)) = (at(eager), at(lazy)) else {
        return Err(format!("the run has no counts of both at n = {COUNTED}"));
    };
    Ok(exact(one / other, 1, format!("{} : {}", eager.name, lazy.name), String::new()))
}

/// The largest length up to which the first side always takes less time than the second one.
fn crossed(first: &Side, second: &Side) -> Result<Measured, String> {
    let (one, other) = (counts(first), counts(second));
    let mut both = one.iter().filter_map(|(n, time)| Some((*n, *time, *other.get(n)?))).peekable();
    if both.peek().is_none() {
        return Err("the run does not have both on the same lengths".to_owned());
    }
    let (mut last, mut items) = (0, 0);
    let mut is_faster = true;
    for (n, one, other) in both {
        is_faster &= one < other;
        items += 1;
        if is_faster {
            last = n;
        }
    }
    let remark = if is_faster { "at the longest words of the run, too".to_owned() } else { String::new() };
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let last = last as f64;
    Ok(exact(last, items, format!("{} and {}", first.name, second.name), remark))
}

/// By which power of n counts or times grow. Counts are no estimates, so neither is this.
fn growth(side: &Side) -> Result<Measured, String> {
    let counts = counts(side);
    let ends = (counts.first_key_value(), counts.last_key_value());
    let (Some((first, low)), Some((last, high))) = ends else {
        return Err("the run has no such rows".to_owned());
    };
    if last < &(10 * first) || *low <= 0.0 {
        return Err("the run has no two lengths of which one is ten times the other".to_owned());
    }
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let longer = *last as f64 / *first as f64;
    Ok(exact((high / low).ln() / longer.ln(), counts.len(), side.name.clone(), String::new()))
}

/// The rows of the study that have a length.
fn rows(dataset: &Dataset) -> impl Iterator<Item = (u64, &Row)> {
    let wanted = |row: &&Row| row.record.family == FAMILY && row.record.key.repeat == 0;
    dataset.rows().iter().filter(wanted).filter_map(|row| Some((length(row.task())?, row)))
}

/// A curve over the length for each strategy that has a number.
fn series(dataset: &Dataset, number: impl Fn(&Row) -> Option<f64>) -> Vec<Series> {
    let of = |(index, name): (usize, &str)| {
        let rows = rows(dataset).filter(|(_, row)| row.strategy() == name);
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let mut points: Vec<(f64, f64)> = rows
            .filter(|(_, row)| row.is_full())
            .filter_map(|(n, row)| Some((n as f64, number(row)?)))
            .filter(|(n, number)| *n > 0.0 && *number > 0.0)
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series { label: name.to_owned(), points, index }
    };
    dataset.strategies().into_iter().enumerate().map(of).filter(|series| !series.points.is_empty()).collect()
}

/// Times over the length, as figure 4.8.
fn times_plot(dataset: &Dataset) -> Result<Plot, ReportError> {
    let series = series(dataset, |row| dataset.own_s(row));
    let chart = Scaling {
        title: "Long strings: times",
        subtitle: "as figure 4.8: the time of the decision; dotted: the power of n that fits best",
        x_label: "n",
        y_label: "time of the task",
        unit: scale::Unit::Seconds,
        series: &series,
    };
    Plot::new("experiment-3-times", "Times over n by strategy".to_owned(), (chart.svg(), chart.csv()))
}

/// States over the length.
fn states_made(dataset: &Dataset) -> Result<Plot, ReportError> {
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let series = series(dataset, |row| row.record.counters.get("states").map(|&states| states as f64));
    let chart = Scaling {
        title: "Long strings: states",
        subtitle: "states that a strategy makes; dotted: the power of n that fits best",
        x_label: "n",
        y_label: "states",
        unit: scale::Unit::Number,
        series: &series,
    };
    Plot::new("experiment-3-states", "States over n by strategy".to_owned(), (chart.svg(), chart.csv()))
}

/// For each length and strategy the time and the states.
pub fn table(dataset: &Dataset) -> Table {
    let mut table = Table::new(
        "experiment-3",
        0,
        vec![
            Column::number("n", "n"),
            Column::text("strategy", "strategy"),
            Column::text("status", "status"),
            Column::number("time_s", "time"),
            Column::number("states", "states"),
        ],
    );
    let mut rows: Vec<(u64, &Row)> = rows(dataset).collect();
    rows.sort_by_key(|(n, _)| *n);
    for (n, row) in rows {
        let states = row.record.counters.get("states");
        table.push(vec![
            Cell::text(n.to_string()),
            Cell::text(row.strategy()),
            Cell::text(row.status().name()),
            Cell::seconds(dataset.own_s(row)),
            states.map_or_else(Cell::absent, |states| Cell::text(states.to_string())),
        ]);
    }
    table
}
