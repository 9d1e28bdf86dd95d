//! Plots: which pictures a dataset gives, each as SVG and as PNG.
//!
//! - [`canvas`], [`scale`], [`style`]: drawing, axes, looks
//! - [`curves`]: sorted times and cactus plots; [`scatter`]: two strategies against each other; [`histogram`]: counts;
//!   [`trend`]: times from run to run
//! - [`raster`](mod@raster): PNG
//!
//! A picture without data is not made; the summary says why.

pub mod canvas;
pub mod curves;
pub mod histogram;
pub mod raster;
pub mod scale;
pub mod scatter;
pub mod style;
pub mod trend;

use std::collections::{BTreeMap, BTreeSet};

use harness_model::run::Layout;
use harness_model::{Alphabet, Status, Verdict};

use crate::attempt::{Attempt, attempts};
use crate::dataset::Dataset;
use crate::document::{Block, Document};
use crate::format::{self, counted};
use crate::layout::graphs;
use crate::layout::representation::{Label, place, study_pairs};
use crate::output::ReportError;
use crate::stats;

use curves::{Chart, Curve, Height, MOST};
use histogram::{Histogram, Series};
use scatter::{Dot, Kind, Scatter};

/// So many scatter plots are made unasked.
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

/// The pictures of a dataset, and why some were not made.
#[derive(Clone, Debug, Default)]
pub struct Gallery {
    /// In the order in which the summary shows them.
    pub pictures: Vec<Picture>,
    /// Names of pictures without data, and the reason.
    pub absent: Vec<(String, String)>,
}

impl Gallery {
    /// Puts the picture `name`, or with no name all that belong to no figure of a paper, into `document`; or why not.
    pub fn show(&self, name: &str, document: &mut Document) {
        let wanted = |of: &str| {
            let own = ["figure-", "table-", "graph-"].iter().any(|start| of.starts_with(start));
            if name.is_empty() { !own } else { of == name }
        };
        for picture in self.pictures.iter().filter(|picture| wanted(&picture.name)) {
            let (name, alt) = (picture.name.clone(), picture.alt.clone());
            document.blocks.push(Block::Picture { name, alt });
        }
        for (of, why) in self.absent.iter().filter(|(of, _)| wanted(of)) {
            document.paragraph(format!("No plot {of}: {why}."));
        }
    }

    fn add(
        &mut self,
        name: String,
        alt: String,
        (svg, data): (Result<Option<String>, String>, String),
    ) -> Result<(), ReportError> {
        match svg {
            Ok(Some(svg)) => self.pictures.push(Picture { name, alt, svg, data: Some(data) }),
            Ok(None) => self.absent.push((name, "no record has a time".to_owned())),
            Err(reason) => return Err(ReportError::Draw { name, reason }),
        }
        Ok(())
    }
}

/// Draws all pictures of `dataset`.
///
/// # Errors
///
/// When a drawing fails: a defect.
pub fn gallery(dataset: &Dataset) -> Result<Gallery, ReportError> {
    let attempts = attempts(dataset);
    let mut gallery = Gallery::default();
    if dataset.run.report.layouts.contains(&Layout::Figure39) {
        representations(dataset, &attempts, &mut gallery)?;
    }
    if dataset.run.report.layouts.contains(&Layout::Table42) {
        interchanges(dataset, &mut gallery)?;
    }
    let alphabets: BTreeSet<Alphabet> = attempts.iter().map(|attempt| attempt.alphabet).collect();
    if alphabets.is_empty() {
        gallery.absent.push(("of times".to_owned(), "there are no records".to_owned()));
    }
    for alphabet in alphabets {
        by_strategy(dataset, &attempts, alphabet, &mut gallery)?;
    }
    scatters(dataset, &attempts, &mut gallery)?;
    gallery.pictures.extend(dataset.drawings.iter().map(|drawing| Picture {
        name: drawing.name(),
        alt: format!("The string graph of {}", drawing.task),
        svg: drawing.svg.clone(),
        data: None,
    }));
    Ok(gallery)
}

/// Curves of solved times, best first: most solved, then least time in total.
fn curves<'a>(entries: impl IntoIterator<Item = (String, usize, &'a Attempt<'a>)>) -> Vec<Curve> {
    let mut by_label: BTreeMap<(usize, String), Curve> = BTreeMap::new();
    for (label, index, attempt) in entries {
        let curve = by_label.entry((index, label.clone())).or_insert(Curve {
            label,
            times: Vec::new(),
            tasks: 0,
            index,
        });
        curve.tasks += 1;
        curve.times.extend(attempt.solve_s);
    }
    let mut curves: Vec<Curve> = by_label.into_values().collect();
    for curve in &mut curves {
        curve.times.sort_by(f64::total_cmp);
    }
    curves.sort_by(|a, b| {
        let sum = |curve: &Curve| curve.times.iter().sum::<f64>();
        b.times.len().cmp(&a.times.len()).then(sum(a).total_cmp(&sum(b)))
    });
    curves
}

/// The line of the limit, where it is near the times or something ran into it.
fn limit_shown(dataset: &Dataset, attempts: &[&Attempt<'_>]) -> Option<f64> {
    let limit = dataset.run.limits.time().as_secs_f64();
    let near = |attempt: &&Attempt<'_>| {
        attempt.status == Status::Timeout || attempt.solve_s.is_some_and(|time| time > limit / 10.0)
    };
    attempts.iter().any(near).then_some(limit)
}

/// "left out: 3 timeout, 1 crash", or that nothing was.
fn left_out(attempts: &[&Attempt<'_>]) -> String {
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
fn by_strategy(
    dataset: &Dataset,
    attempts: &[Attempt<'_>],
    alphabet: Alphabet,
    gallery: &mut Gallery,
) -> Result<(), ReportError> {
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
    gallery.add(format!("sorted-times-{alphabet}"), alt, (sorted.svg(), sorted.csv()))?;
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
    gallery.add(format!("cactus-{alphabet}"), alt, (cactus.svg(), cactus.csv()))
}

/// Figure 3.9: a curve for each representation and alphabet, over all its runs.
fn representations(
    dataset: &Dataset,
    attempts: &[Attempt<'_>],
    gallery: &mut Gallery,
) -> Result<(), ReportError> {
    let here: Vec<(&Attempt<'_>, Label)> = study_pairs(dataset, attempts)
        .map(|(attempt, _)| (attempt, place(attempt.strategy).0))
        .filter(|(_, label)| matches!(label, Label::Study(_)))
        .collect();
    let looks: BTreeSet<(&Label, Alphabet)> = here.iter().map(|(a, label)| (label, a.alphabet)).collect();
    let index = |key: (&Label, Alphabet)| looks.iter().position(|look| *look == key).unwrap_or(0);
    let all = curves(here.iter().map(|(a, label)| (label.shown(a.alphabet), index((label, a.alphabet)), *a)));
    let here: Vec<&Attempt<'_>> = here.into_iter().map(|(attempt, _)| attempt).collect();
    let limit_label = format!("limit {}", format::chosen(dataset.run.limits.time()));
    let chart = Chart {
        title: "Sorted times by representation, as figure 3.9",
        subtitle: &format!("product and difference, eager and lazy; phase solve; {}", left_out(&here)),
        x_label: "tasks, sorted by time for each representation",
        y_label: "time of the task",
        height: Height::Each,
        limit: limit_shown(dataset, &here).map(|value| (value, limit_label.as_str())),
        curves: &all,
    };
    let alt = format!(
        "Sorted times of {} over all runs",
        counted(all.len(), "representation and alphabet", "representations and alphabets")
    );
    gallery.add("figure-3.9".to_owned(), alt, (chart.svg(), chart.csv()))
}

/// Histogram of the interchanges of string graphs: each graph that was solved and on which the string solver was asked.
fn interchanges(dataset: &Dataset, gallery: &mut Gallery) -> Result<(), ReportError> {
    let order = dataset.strategies();
    let mut series: Vec<Series> = graphs::strategies(dataset)
        .into_iter()
        .map(|(_, name)| Series {
            label: name.to_owned(),
            counts: Vec::new(),
            index: order.iter().position(|other| *other == name).unwrap_or(0),
        })
        .collect();
    for run in graphs::Run::all(dataset).filter(|run| run.is_sat().is_some() && run.has_guess()) {
        if let Some(series) = series.iter_mut().find(|series| series.label == run.row.strategy()) {
            series.counts.push(run.counter("interchanges"));
        }
    }
    let histogram = Histogram {
        title: "Interchanges between integer solver and string solver",
        subtitle: "graphs solved on which the string solver was asked at least once",
        x_label: "interchanges",
        y_label: "graphs",
        series: &series,
    };
    let alt = "Histogram of the interchanges that each strategy needed".to_owned();
    gallery.add("table-4.2-interchanges".to_owned(), alt, (histogram.svg(), histogram.csv()))
}

/// The pairs asked for, eager against lazy of each kind, and the best two.
fn scatters(dataset: &Dataset, attempts: &[Attempt<'_>], gallery: &mut Gallery) -> Result<(), ReportError> {
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
            gallery.absent.push((name, format!("{missing} has no records")));
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
        gallery.add(
            name,
            format!("Times of {y} against those of {x}, task by task"),
            (scatter.svg(), scatter.csv()),
        )?;
    }
    Ok(())
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
    let names = dataset.strategies();
    let mut pairs: Vec<(String, String)> = Vec::new();
    for name in &names {
        let words: Vec<&str> =
            name.split('-').map(|word| if word == "eager" { "lazy" } else { word }).collect();
        let lazy = words.join("-");
        if lazy != *name && names.contains(&lazy.as_str()) {
            pairs.push(((*name).to_owned(), lazy));
        }
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
