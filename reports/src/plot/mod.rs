//! Plots: which pictures a dataset gives, each as SVG and as PNG.
//!
//! - [`canvas`], [`scale`], [`style`]: drawing, axes, looks
//! - [`curves`]: sorted times and cactus plots; [`scatter`]: two strategies against each other;
//!   [`histogram`]: counts; [`boxes`]: how times are distributed; [`scaling`]: growth with a size, as
//!   [`growth`](mod@growth) draws it of generated families; [`shares`]: what times are made of; [`trend`]:
//!   times from run to run
//! - [`raster`](mod@raster): PNG
//!
//! A picture without data is not made; the summary says why.

pub mod boxes;
pub mod canvas;
pub mod curves;
pub mod growth;
pub mod histogram;
pub mod raster;
pub mod scale;
pub mod scaling;
pub mod scatter;
pub mod shares;
pub mod style;
pub mod trend;

use std::collections::{BTreeMap, BTreeSet};

use harness_model::{Alphabet, Status, Verdict};

use crate::analysis::Analysis;
use crate::attempt::Attempt;
use crate::dataset::{Dataset, Drawing};
use crate::format::{self, counted};
use crate::output::ReportError;
use crate::stats;
use crate::strategy::is_lazy_twin;

use curves::{Chart, Height, MOST, curves};
use scatter::{Dot, Kind, Scatter};

/// The most scatter plots that are made by default.
const SCATTERS: usize = 8;

/// A picture.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Of its files: `plots/NAME.svg` and `plots/NAME.png`.
    pub name: String,
    /// What it shows.
    pub alt: String,
    /// The picture.
    pub svg: String,
    /// What is drawn, as CSV; `None` when it is no plot of figures.
    pub data: Option<String>,
}

/// A picture, or why it was not made.
#[derive(Clone, Debug)]
pub enum Plot {
    /// It has data.
    Drawn(Picture),
    /// It has none.
    Absent {
        /// What it would have been called.
        name: String,
        /// Why there is nothing to draw.
        why: String,
    },
}

impl Plot {
    /// The plot `name` from what a chart gives: its SVG, `None` where there is nothing to draw, and its data.
    ///
    /// # Errors
    ///
    /// When the drawing failed: a defect.
    pub fn new(
        name: impl Into<String>,
        alt: String,
        (svg, data): (Result<Option<String>, String>, String),
    ) -> Result<Self, ReportError> {
        let name = name.into();
        match svg {
            Ok(Some(svg)) => Ok(Self::Drawn(Picture { name, alt, svg, data: Some(data) })),
            Ok(None) => Ok(Self::Absent { name, why: "no record has a time".to_owned() }),
            Err(reason) => Err(ReportError::Draw { name, reason }),
        }
    }

    /// The picture, if it was made.
    pub const fn picture(&self) -> Option<&Picture> {
        match self {
            Self::Drawn(picture) => Some(picture),
            Self::Absent { .. } => None,
        }
    }
}

/// The plots that every run has: times of its strategies.
///
/// # Errors
///
/// When a drawing fails: a defect.
pub fn general(analysis: &Analysis<'_>) -> Result<Vec<Plot>, ReportError> {
    let mut plots = Vec::new();
    let alphabets: BTreeSet<Alphabet> = analysis.attempts.iter().map(|attempt| attempt.alphabet).collect();
    if alphabets.is_empty() {
        plots.push(Plot::Absent { name: "of times".to_owned(), why: "there are no records".to_owned() });
    }
    for alphabet in alphabets {
        plots.extend(by_strategy(analysis, alphabet)?);
    }
    plots.extend(growth::growth(analysis)?);
    plots.extend(scatters(analysis)?);
    Ok(plots)
}

/// The picture of a task, which came with the dataset.
pub fn drawing(drawing: &Drawing) -> Picture {
    Picture {
        name: drawing.name(),
        alt: format!("The string graph of {}", drawing.task),
        svg: drawing.svg.clone(),
        data: None,
    }
}

/// The line of the limit, where it is near the times or something ran into it.
pub(crate) fn limit_shown(dataset: &Dataset, attempts: &[&Attempt<'_>]) -> Option<f64> {
    let limit = dataset.run.limits.time().as_secs_f64();
    let near = |attempt: &&Attempt<'_>| {
        attempt.status == Status::Timeout || attempt.solve_s.is_some_and(|time| time > limit / 10.0)
    };
    attempts.iter().any(near).then_some(limit)
}

/// "left out: 3 timeout, 1 crash", or that nothing was.
pub(crate) fn left_out(attempts: &[&Attempt<'_>]) -> String {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for attempt in attempts.iter().filter(|attempt| attempt.solve_s.is_none()) {
        *reasons.entry(attempt.status.name()).or_default() += 1;
    }
    if reasons.is_empty() {
        return "all solved".to_owned();
    }
    let texts: Vec<String> = reasons.iter().map(|(why, n)| format!("{n} {why}")).collect();
    format!("left out: {}", texts.join(", "))
}

/// Sorted times and cactus of one alphabet, a curve for each strategy.
fn by_strategy(analysis: &Analysis<'_>, alphabet: Alphabet) -> Result<[Plot; 2], ReportError> {
    let Analysis { dataset, attempts } = analysis;
    let order: BTreeMap<&str, usize> =
        dataset.strategies().into_iter().enumerate().map(|(i, name)| (name, i)).collect();
    let here: Vec<&Attempt<'_>> = attempts.iter().filter(|attempt| attempt.alphabet == alphabet).collect();
    let index = |name: &str| order.get(name).copied().unwrap_or(0);
    let mut all = curves(here.iter().map(|a| (a.strategy.to_owned(), index(a.strategy), *a)));
    let total = all.len();
    all.truncate(MOST);
    let beyond = if total > MOST {
        format!("; the {} that solve least are not drawn", counted(total - MOST, "strategy", "strategies"))
    } else {
        String::new()
    };
    let limit = limit_shown(dataset, &here);
    let limit_label = format!("limit {}", format::chosen(dataset.run.limits.time()));
    let subtitle = format!("phase solve; {}{beyond}", left_out(&here));
    let sorted = Chart {
        title: &format!("Sorted times, {alphabet}"),
        subtitle: &subtitle,
        x_label: "tasks, sorted by time for each strategy",
        y_label: "time of the task",
        height: Height::Each,
        limit: limit.map(|value| (value, limit_label.as_str())),
        curves: &all,
    };
    let alt = format!("Sorted times of {} in {alphabet}", counted(total, "strategy", "strategies"));
    let sorted_times = Plot::new(format!("sorted-times-{alphabet}"), alt, (sorted.svg(), sorted.csv()))?;
    let cactus = Chart {
        title: &format!("Tasks solved within a time, {alphabet}"),
        x_label: "tasks solved, fastest first",
        y_label: "time of these tasks together",
        height: Height::Together,
        limit: None,
        ..sorted
    };
    let alt = format!(
        "Cactus plot: tasks solved by {} in {alphabet} against the time for all of them",
        counted(total, "strategy", "strategies")
    );
    Ok([sorted_times, Plot::new(format!("cactus-{alphabet}"), alt, (cactus.svg(), cactus.csv()))?])
}

/// The pairs asked for, eager against lazy of each kind, and the best two.
fn scatters(analysis: &Analysis<'_>) -> Result<Vec<Plot>, ReportError> {
    let Analysis { dataset, attempts } = analysis;
    let mut plots = Vec::new();
    let mut of: BTreeMap<&str, BTreeMap<&str, &Attempt<'_>>> = BTreeMap::new();
    for attempt in attempts {
        of.entry(attempt.strategy).or_default().insert(attempt.task, attempt);
    }
    let mut pairs: Vec<(String, String)> = dataset.run.report.scatter.clone();
    let unasked = default_pairs(dataset, attempts);
    let seen = |pairs: &[(String, String)], a: &str, b: &str| {
        pairs.iter().any(|(x, y)| (x == a && y == b) || (x == b && y == a))
    };
    for (a, b) in unasked {
        if !seen(&pairs, &a, &b) {
            pairs.push((a, b));
        }
    }
    for (x, y) in pairs {
        let name = format!("scatter-{x}-vs-{y}");
        let (Some(xs), Some(ys)) = (of.get(x.as_str()), of.get(y.as_str())) else {
            let missing = if of.contains_key(x.as_str()) { &y } else { &x };
            plots.push(Plot::Absent { name, why: format!("{missing} has no records") });
            continue;
        };
        let both: Vec<(&Attempt<'_>, &Attempt<'_>)> =
            xs.iter().filter_map(|(task, a)| Some((*a, *ys.get(task)?))).collect();
        let dots: Vec<Dot<'_>> = both.iter().filter_map(|(a, b)| dot(a, b)).collect();
        let problems =
            both.iter().any(|(a, _)| matches!(a.status, Status::Answered(Verdict::Sat | Verdict::Unsat)));
        let scatter = Scatter {
            x: &x,
            y: &y,
            subtitle: &format!(
                "phase solve, {}; limit {}",
                counted(both.len(), "task", "tasks"),
                format::chosen(dataset.run.limits.time())
            ),
            dots: &dots,
            neither: both.len() - dots.len(),
            kinds: if problems { ["satisfiable", "unsatisfiable"] } else { ["nonempty", "empty"] },
        };
        let alt = format!("Times of {y} against those of {x}, task by task");
        plots.push(Plot::new(name, alt, (scatter.svg(), scatter.csv()))?);
    }
    Ok(plots)
}

/// The point of a task that at least one of the two solved.
fn dot<'a>(x: &Attempt<'a>, y: &Attempt<'_>) -> Option<Dot<'a>> {
    let solved = [x, y].into_iter().find(|attempt| attempt.solve_s.is_some())?;
    let Status::Answered(verdict) = solved.status else { return None };
    let kind = if verdict.is_positive() { Kind::Positive } else { Kind::Negative };
    Some(Dot { task: x.task, x: x.solve_s, y: y.solve_s, kind })
}

/// Eager against lazy of each kind that has both, then the two strategies that solve most in the least time.
fn default_pairs(dataset: &Dataset, attempts: &[Attempt<'_>]) -> Vec<(String, String)> {
    let rows = &dataset.run.strategies;
    let mut pairs: Vec<(String, String)> = Vec::new();
    for eager in rows {
        let lazy = rows.iter().find(|lazy| is_lazy_twin(lazy, eager));
        pairs.extend(lazy.map(|lazy| (eager.name.clone(), lazy.name.clone())));
    }
    pairs.truncate(SCATTERS - 1);
    let limit = dataset.run.limits.time().as_secs_f64();
    let mut times: BTreeMap<&str, Vec<Option<f64>>> = BTreeMap::new();
    for attempt in attempts {
        times.entry(attempt.strategy).or_default().push(attempt.solve_s);
    }
    let mut ranked: Vec<(usize, f64, &str)> = times
        .into_iter()
        .map(|(name, times)| {
            let score = stats::par2(&times, limit).unwrap_or(f64::INFINITY);
            (times.iter().flatten().count(), score, name)
        })
        .collect();
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(b.2)));
    if let [(.., best), (.., second), ..] = ranked[..] {
        pairs.push((second.to_owned(), best.to_owned()));
    }
    pairs
}
