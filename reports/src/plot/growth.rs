//! Curves of time over the parameter of a generated family, such as n of long strings: made of every run
//! that has three values or more of one.

use std::collections::{BTreeMap, BTreeSet};

use harness_model::Alphabet;

use crate::analysis::Analysis;
use crate::format::counted;
use crate::output::ReportError;
use crate::stats;

use super::scale::Unit;
use super::scaling::{Scaling, Series};
use super::{MOST, Plot};

/// So many values make a curve.
const LEAST: usize = 3;

/// The most pictures of a run.
const PICTURES: usize = 12;

/// The times of a strategy, by the value of the parameter.
type Times<'a> = BTreeMap<&'a str, BTreeMap<i64, Vec<f64>>>;

/// A picture for each family, alphabet and parameter with enough values above 0.
///
/// # Errors
///
/// When a drawing fails: a defect.
pub fn growth(analysis: &Analysis<'_>) -> Result<Vec<Plot>, ReportError> {
    let mut all: BTreeMap<(&str, Alphabet, &str), (BTreeSet<i64>, Times<'_>)> = BTreeMap::new();
    for attempt in &analysis.attempts {
        let Some(task) = analysis.dataset.task(attempt.task) else { continue };
        for (name, value) in task.parameters.iter().filter(|(_, value)| **value > 0) {
            let (values, times) = all.entry((attempt.family, attempt.alphabet, name)).or_default();
            values.insert(*value);
            if let Some(time) = attempt.full_s().filter(|time| *time > 0.0) {
                times.entry(attempt.strategy).or_default().entry(*value).or_default().push(time);
            }
        }
    }
    let mut plots = Vec::new();
    for ((family, alphabet, parameter), (values, times)) in all {
        if values.len() < LEAST || plots.len() == PICTURES {
            continue;
        }
        plots.push(one(analysis, (family, alphabet, parameter), values.len(), &times)?);
    }
    Ok(plots)
}

fn one(
    analysis: &Analysis<'_>,
    (family, alphabet, parameter): (&str, Alphabet, &str),
    values: usize,
    times: &Times<'_>,
) -> Result<Plot, ReportError> {
    let mut series: Vec<Series> = Vec::new();
    for (index, strategy) in analysis.dataset.strategies().into_iter().enumerate() {
        let Some(times) = times.get(strategy) else { continue };
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let point = |(value, times): (&i64, &Vec<f64>)| Some((*value as f64, stats::median(times)?));
        let points: Vec<(f64, f64)> = times.iter().filter_map(point).collect();
        series.push(Series { label: strategy.to_owned(), points, index });
    }
    // Those that come farthest, then those that are fastest there.
    series.sort_by(|one, other| {
        let end = |series: &Series| series.points.last().copied().unwrap_or((0.0, f64::INFINITY));
        let (one, other) = (end(one), end(other));
        other.0.total_cmp(&one.0).then(one.1.total_cmp(&other.1))
    });
    let total = series.len();
    series.truncate(MOST);
    let beyond = if total > MOST { format!("; {} more are not drawn", total - MOST) } else { String::new() };
    let clean = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = format!("growth-{family}-{alphabet}-{parameter}").chars().map(clean).collect();
    let title = format!("{family}, {alphabet}: time over {parameter}");
    let subtitle = format!(
        "phase solve of {}, medians where there are several tasks; dotted: the power of {parameter} that fits best{beyond}",
        counted(values, "value", "values")
    );
    let chart = Scaling {
        title: &title,
        subtitle: &subtitle,
        x_label: parameter,
        y_label: "time of the task",
        unit: Unit::Seconds,
        series: &series,
    };
    Plot::new(name, format!("Time over {parameter} of {family} in {alphabet}"), (chart.svg(), chart.csv()))
}
