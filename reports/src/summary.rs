//! What a person reads first: what is wrong, if anything, then what was run, then tables and plots.

use std::collections::BTreeMap;

use harness_model::record::{Record, Termination};
use harness_model::{Status, Task};

use crate::analysis::Analysis;
use crate::claim::{self, Finding};
use crate::common::common;
use crate::dataset::{Dataset, Row};
use crate::document::{Block, Document};
use crate::format::{self, counted};
use crate::layout::{self, Part, Section, extremes, nodes};
use crate::overview::overview;
use crate::plot::{self, Picture, Plot};
use crate::scores::scores;
use crate::stats;
use crate::table::{Cell, Column, Table};
use crate::unsupported::unsupported;

/// The most alarms of a kind that are spelled out; all are in `results.csv`.
const SPELLED_OUT: usize = 50;

/// The summary in its parts, from top to bottom.
pub(crate) struct Summary {
    /// What is wrong, what the papers found, what was run.
    pub(crate) first: Document,
    /// The layouts, and tables of single tasks.
    pub(crate) layouts: Document,
    /// What each strategy did by family and alphabet.
    pub(crate) overview: Document,
    /// Scores, and comparisons of all strategies.
    pub(crate) comparisons: Document,
    /// Pictures of the whole run.
    pub(crate) plots: Document,
    /// What the reader should know besides.
    pub(crate) notes: Document,
}

impl Summary {
    /// All of it.
    pub(crate) fn whole(&self) -> Document {
        let parts = [&self.first, &self.layouts, &self.overview, &self.comparisons, &self.plots, &self.notes];
        Document { blocks: parts.into_iter().flat_map(|part| part.blocks.iter().cloned()).collect() }
    }
}

/// The summary: the layouts in `sections`, and `plots` of the whole run.
pub(crate) fn summary(analysis: &Analysis<'_>, sections: &[Section], plots: &[Plot]) -> Summary {
    let dataset = analysis.dataset;
    Summary {
        first: first(dataset, sections),
        layouts: layouts(dataset, sections),
        overview: {
            let mut document = Document::default();
            document.heading(2, "Strategies by family and alphabet");
            document.table(overview(dataset));
            document
        },
        comparisons: comparisons(analysis),
        plots: {
            let mut document = Document::default();
            document.heading(2, "Plots");
            let (drawn, absent): (Vec<&Plot>, Vec<&Plot>) =
                plots.iter().partition(|plot| plot.picture().is_some());
            for plot in drawn.into_iter().chain(absent) {
                show(&mut document, plot);
            }
            document
        },
        notes: notes(dataset),
    }
}

fn first(dataset: &Dataset, sections: &[Section]) -> Document {
    let mut document = Document::default();
    document.heading(1, format!("Results of {}", dataset.run.name));
    alarms(&mut document, dataset);

    let findings: Vec<(&str, Vec<Finding>)> = sections
        .iter()
        .map(|section| (section.layout.name(), section.findings.clone()))
        .filter(|(_, findings)| !findings.is_empty())
        .collect();
    if !findings.is_empty() {
        document.heading(2, "What the papers found, and what this run finds");
        document.table(claim::table(&findings));
    }

    document.heading(2, "What was run");
    document.table(run_table(dataset));
    document.table(strategy_table(dataset));
    if !dataset.run.skipped.is_empty() {
        document.paragraph("Left out of the plan:");
        document.blocks.push(Block::List(dataset.run.skipped.clone()));
    }
    document
}

fn layouts(dataset: &Dataset, sections: &[Section]) -> Document {
    let mut document = Document::default();
    for section in sections {
        layout(&mut document, dataset, section);
    }
    let is_asked = sections.iter().any(|section| section.layout.name() == extremes::NAME);
    if let Some(table) = extremes::extremes(dataset).filter(|_| !is_asked) {
        document.heading(2, extremes::TITLE);
        document.table(table);
        drawings(&mut document, dataset, &extremes::tasks(dataset));
    }

    if let Some(table) = nodes::path_nodes(dataset) {
        document.heading(2, "Path trees, node by node");
        document.table(table);
    }
    document
}

fn comparisons(analysis: &Analysis<'_>) -> Document {
    let dataset = analysis.dataset;
    let mut document = Document::default();
    if let Some(table) = scores(dataset) {
        document.heading(2, "Scores");
        document.table(table);
    }
    if let Some(table) = unsupported(dataset) {
        document.heading(2, "What was unsupported");
        document.table(table);
    }
    document.heading(2, "On the tasks that all solved");
    let common = common(analysis);
    if common.rows().is_empty() {
        document.paragraph("There is no family in which two strategies solved a task: nothing to compare.");
    } else {
        document.table(common);
    }
    document
}

fn notes(dataset: &Dataset) -> Document {
    let mut document = Document::default();
    let missing = layout::unknown(dataset).map(|name| {
        format!(
            "The run asks for the layout '{name}', which this build does not have: its tables are not made. \
             A newer build of harness may have it."
        )
    });
    let notes: Vec<String> = dataset.notes.iter().cloned().chain(missing).chain(unsteady(dataset)).collect();
    if !notes.is_empty() {
        document.heading(2, "Notes");
        document.blocks.push(Block::List(notes));
    }
    document
}

/// A layout under its title, and that nothing of it was measured where that is so.
fn layout(document: &mut Document, dataset: &Dataset, section: &Section) {
    let Section { layout, parts, findings } = section;
    document.heading(2, layout.about());
    for part in parts {
        match part {
            Part::Heading(title) => document.heading(2, title),
            Part::Table(table) => document.table(table.clone()),
            Part::Plot(plot) => show(document, plot),
            Part::Drawings => drawings(document, dataset, &layout.singled_out(dataset)),
        }
    }
    if !findings.is_empty() {
        document.paragraph("How the claims about it were tested:");
        document.blocks.push(Block::List(claim::methods(findings)));
    }
    let families = layout.families();
    let fits = |task: &Task| families.contains(&task.family.as_str());
    if !families.is_empty() && !dataset.tasks().any(fits) {
        document.paragraph(format!(
            "Nothing is measured here: no task of this run belongs to this table, which is of {}. The configs of \
             reproductions have the right ones.",
            families.join(", ")
        ));
    }
}

/// A plot, or why it is not there.
fn show(document: &mut Document, plot: &Plot) {
    match plot {
        Plot::Drawn(Picture { name, alt, .. }) => {
            document.blocks.push(Block::Picture { name: name.clone(), alt: alt.clone() });
        }
        Plot::Absent { name, why } => document.paragraph(format!("No plot {name}: {why}.")),
    }
}

/// The pictures of those of `tasks` that were drawn, each under its name.
fn drawings(document: &mut Document, dataset: &Dataset, tasks: &[String]) {
    let drawn = tasks.iter().filter_map(|task| dataset.drawings.iter().find(|d| d.task == *task));
    for (place, drawing) in drawn.enumerate() {
        if place == 0 {
            document.paragraph("Drawn: circles are strings and integers, dots are operations on them.");
        }
        document.paragraph(format!("{}:", drawing.task));
        show(document, &Plot::Drawn(plot::drawing(drawing)));
    }
}

/// Disagreements, wrong verdicts and models that do not satisfy their question; or that there are none.
fn alarms(document: &mut Document, dataset: &Dataset) {
    let of = |status: Status| -> Vec<&Row> {
        dataset.rows().iter().filter(|row| row.status() == status).collect()
    };
    let (wrong, invalid) = (of(Status::Wrong), of(Status::InvalidModel));
    let disagreements = &dataset.disagreements;
    if disagreements.is_empty() && wrong.is_empty() && invalid.is_empty() {
        document.blocks.push(Block::Calm(format!(
            "No wrong verdict, no invalid model and no disagreement between strategies in {}.",
            counted(dataset.rows().len(), "record", "records")
        )));
        return;
    }
    if !disagreements.is_empty() {
        let title = counted(disagreements.len(), "DISAGREEMENT", "DISAGREEMENTS");
        let items = disagreements.iter().map(|disagreement| {
            let mut said: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for (strategy, verdict) in &disagreement.said {
                said.entry(verdict.name()).or_default().push(strategy);
            }
            let said: Vec<String> = said
                .iter()
                .map(|(verdict, names)| format!("{verdict} according to {}", names.join(", ")))
                .collect();
            let settled = disagreement.settled.as_deref().unwrap_or("nothing settles who is right");
            let what = operation(dataset, &disagreement.task, disagreement.operation);
            format!("{}{what}: {}; {settled}", disagreement.task, said.join("; "))
        });
        document.blocks.push(Block::Alarm(title, spelled_out(items)));
    }
    for (rows, one, many) in
        [(wrong, "WRONG VERDICT", "WRONG VERDICTS"), (invalid, "INVALID MODEL", "INVALID MODELS")]
    {
        if !rows.is_empty() {
            let items = rows.iter().map(|row| {
                let detail = if row.judgement.detail.is_empty() { "" } else { ": " };
                format!("{} on {}{detail}{}", row.strategy(), row.task(), row.judgement.detail)
            });
            document.blocks.push(Block::Alarm(counted(rows.len(), one, many), spelled_out(items)));
        }
    }
}

/// The first items, and how many more there are.
fn spelled_out(items: impl ExactSizeIterator<Item = String>) -> Vec<String> {
    let more = items.len().saturating_sub(SPELLED_OUT);
    let mut items: Vec<String> = items.take(SPELLED_OUT).collect();
    if more > 0 {
        items.push(format!("and {more} more: see results.csv"));
    }
    items
}

/// Which operation of a task: said only of a batch, where the task's name does not tell.
fn operation(dataset: &Dataset, task: &str, index: usize) -> String {
    let Some(question) = dataset.task(task).map(|task| &task.question) else {
        return format!(" (operation {index})");
    };
    if question.asked() < 2 {
        return String::new();
    }
    match question.kind.describe(index) {
        Some(part) => format!(" ({part})"),
        None => format!(" (operation {index})"),
    }
}

fn run_table(dataset: &Dataset) -> Table {
    let run = &dataset.run;
    let recorded = dataset.rows().len() as u64;
    let missing = run.planned.saturating_sub(recorded);
    let or_unknown = |text: &str| if text.is_empty() { "unknown".to_owned() } else { text.to_owned() };
    let mut rows = vec![
        ("config", run.name.clone()),
        ("records", format!("{recorded} of {} planned", run.planned)),
        ("missing", if missing == 0 { "none".to_owned() } else { missing_text(dataset, missing) }),
        ("tasks", run.tasks.to_string()),
        ("repeats", run.repeats.to_string()),
        (
            "limits per record",
            format!(
                "{} by the clock, {} of processor time, {} of memory",
                format::chosen(run.limits.wall),
                format::chosen(run.limits.cpu),
                format::bytes(run.limits.memory)
            ),
        ),
        (
            "sampling",
            run.sampling.map_or_else(
                || "none: each time is of one cold run".to_owned(),
                |s| {
                    format!(
                        "warm repetitions until {} or {} samples; tables show their median",
                        format::chosen(s.total),
                        s.max_samples
                    )
                },
            ),
        ),
        ("workers", run.workers.to_string()),
        ("seed", run.seed.to_string()),
        ("started", format::utc(run.started_unix_s)),
        (
            "machine",
            format!(
                "{}, {}, {}",
                or_unknown(&run.machine.cpu),
                counted(usize::try_from(run.machine.cores).unwrap_or(usize::MAX), "core", "cores"),
                format::bytes(run.machine.memory_bytes)
            ),
        ),
        ("system", format!("{}, kernel {}", or_unknown(&run.machine.os), or_unknown(&run.machine.kernel))),
    ];
    let methods: Vec<&str> = {
        let mut found: Vec<&str> = dataset.rows().iter().map(|row| row.record.method.as_str()).collect();
        found.sort_unstable();
        found.dedup();
        found.retain(|method| !method.is_empty());
        found
    };
    if !methods.is_empty() {
        rows.push(("measured by", methods.join("; ")));
    }
    let versions: Vec<String> = run.versions.iter().map(|(name, v)| named(name, v)).collect();
    rows.push(("versions", or_unknown(&versions.join(", "))));
    let waiting = dataset.rows().iter().filter(|row| waited(&row.record)).count();
    if waiting > 0 {
        rows.push((
            "busy machine",
            format!(
                "{} waited for a processor for more than half of the time: the machine was busy with \
                 something else, and times by the clock, phases among them, are too long",
                counted(waiting, "record", "records")
            ),
        ));
    }
    rows.push(("plan's fingerprint", run.fingerprint.clone()));

    let mut table = Table::new("run", 0, vec![Column::text("what", "what"), Column::text("value", "value")]);
    for (what, value) in rows {
        table.push(vec![Cell::text(what), Cell::text(value)]);
    }
    table
}

/// Whether a record answered but had a processor for less than half of its time. Records of a few
/// milliseconds are not looked at: starting and ending a process is most of them.
fn waited(record: &Record) -> bool {
    const LEAST_NS: u64 = 20_000_000;
    record.termination == Termination::Answered
        && record.usage.is_some_and(|usage| usage.wall_ns > LEAST_NS && usage.wall_ns / 2 > usage.cpu_ns)
}

/// A version with the name of what it is of; some programs put their name in front themselves.
fn named(name: &str, version: &str) -> String {
    if version.starts_with(name) { version.to_owned() } else { format!("{name} {version}") }
}

/// How many records are missing, and of which strategies. The strategies are named only where the counts
/// explain all that is missing: a plan may leave out some strategies in some alphabets, and the record of a
/// run does not say which.
fn missing_text(dataset: &Dataset, missing: u64) -> String {
    let each = dataset.run.tasks * u64::from(dataset.run.repeats);
    let mut recorded: BTreeMap<&str, u64> = BTreeMap::new();
    for row in dataset.rows() {
        *recorded.entry(row.strategy()).or_default() += 1;
    }
    let short: Vec<(u64, &str)> = dataset
        .run
        .strategies
        .iter()
        .map(|row| {
            (each.saturating_sub(recorded.get(row.name.as_str()).copied().unwrap_or(0)), row.name.as_str())
        })
        .filter(|(lacking, _)| *lacking > 0)
        .collect();
    let explained = short.iter().map(|(lacking, _)| lacking).sum::<u64>() == missing;
    let names: Vec<String> = short.iter().map(|(lacking, name)| format!("{lacking} {name}")).collect();
    let of = if explained && !names.is_empty() { format!(" ({})", names.join(", ")) } else { String::new() };
    format!("{missing}{of}: the run is INCOMPLETE; the same command goes on where it stopped")
}

fn strategy_table(dataset: &Dataset) -> Table {
    let columns =
        [("strategy", "strategy"), ("backend", "backend"), ("version", "version"), ("summary", "what it is")];
    let columns = columns.into_iter().map(|(name, title)| Column::text(name, title)).collect();
    let mut table = Table::new("versions", 0, columns);
    for row in &dataset.run.strategies {
        table.push([&row.name, &row.backend, &row.version, &row.summary].map(Cell::text).to_vec());
    }
    table
}

/// Repeats that fall into two groups, so that no one number describes them.
fn unsteady(dataset: &Dataset) -> Vec<String> {
    let same = |a: &Row, b: &Row| a.task() == b.task() && a.strategy() == b.strategy();
    let notes = dataset.rows().chunk_by(same).filter_map(|rows| {
        let times: Vec<f64> = rows.iter().filter_map(Row::solve_s).collect();
        let (low, high) = stats::groups(&times)?;
        let middle = |group: &[f64]| stats::median(group).map_or_else(String::new, format::duration);
        Some(format!(
            "{} on {}: the repeats are in two groups, {} around {} and {} around {}; their median describes neither",
            rows[0].strategy(),
            rows[0].task(),
            low.len(),
            middle(&low),
            high.len(),
            middle(&high)
        ))
    });
    let notes: Vec<String> = notes.collect();
    spelled_out(notes.into_iter())
}
