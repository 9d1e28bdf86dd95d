//! Times from run to run as a report: a picture, a table of the strategies and one of the steps, for each
//! configuration and machine. What a series and a step are is decided by whoever makes a [`Trend`]; here they
//! are only shown.

use std::path::{Path, PathBuf};

use crate::document::{Block, Document};
use crate::format;
use crate::html;
use crate::markdown;
use crate::output::{Output, ReportError};
use crate::plot::raster::Raster;
use crate::plot::trend::{Chart, MOST, Mark, Panel};
use crate::table::{Cell, Column, Table};

/// A run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Its number in the history.
    pub number: i64,
    /// Its commit, shortened, or its number.
    pub label: String,
    /// When it began, in seconds since 1970.
    pub started_unix_s: f64,
    /// What is not as it was in the run before, beside the commit: versions, the kernel.
    pub changes: Vec<String>,
}

/// A strategy over the runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The strategy's name.
    pub strategy: String,
    /// Seconds for each run of the trend.
    pub values: Vec<Option<f64>>,
    /// Tasks that each value is the geometric mean over.
    pub tasks: usize,
    /// Where it takes steps, counted in the runs of the trend.
    pub steps: Vec<Mark>,
    /// The chance of each step.
    pub chances: Vec<f64>,
    /// Runs without a value and tasks without one in some run, and why.
    pub left_out: Vec<String>,
    /// The first run that steps are looked for from: of a long series, only the end is looked at.
    pub from: usize,
    /// How many values that are.
    pub looked_at: usize,
}

impl Line {
    /// Where steps are looked for, if that is not everywhere.
    fn window(&self) -> Option<String> {
        let all = self.values.iter().flatten().count();
        (self.from > 0 && self.looked_at < all)
            .then(|| format!("steps are looked for in the last {} of {all} runs", self.looked_at))
    }
}

/// Runs that may be compared, and what their strategies did.
#[derive(Clone, Debug, PartialEq)]
pub struct Trend {
    /// Of the configuration.
    pub config: String,
    /// Processor and cores.
    pub machine: String,
    /// The family; `None`: all.
    pub family: Option<String>,
    /// Which time.
    pub metric: String,
    /// From first to last.
    pub runs: Vec<Run>,
    /// In the plan's order.
    pub lines: Vec<Line>,
}

/// Fewer runs hardly show a step that one in a hundred orders of them does not.
const FEW: usize = 10;

impl Trend {
    /// The strategies: first and last time, and the steps between them.
    pub fn table(&self, name: &str) -> Table {
        let mut table = Table::new(
            name,
            0,
            vec![
                Column::text("strategy", "strategy"),
                Column::number("tasks", "tasks"),
                Column::number("runs", "runs"),
                Column::number("first_s", "first"),
                Column::number("last_s", "last"),
                Column::number("last_over_first", "change"),
                Column::number("steps", "steps"),
            ],
        );
        for line in &self.lines {
            let values: Vec<f64> = line.values.iter().flatten().copied().collect();
            let (first, last) = (values.first().copied(), values.last().copied());
            let change = first.zip(last).map(|(first, last)| last / first);
            table.push(vec![
                Cell::text(line.strategy.as_str()),
                Cell::count(line.tasks),
                Cell::count(values.len()),
                Cell::seconds(first),
                Cell::seconds(last),
                factor(change),
                Cell::count(line.steps.len()),
            ]);
        }
        table.note(format!(
            "Times are geometric means, over the tasks that the strategy solved in every run with a time, of the task's median {} time.",
            self.metric
        ));
        for line in &self.lines {
            for why in &line.left_out {
                table.note(format!("{}: {why}", line.strategy));
            }
            if let Some(window) = line.window() {
                table.note(format!("{}: {window}.", line.strategy));
            }
        }
        table
    }

    /// The steps, and what else changed there.
    pub fn steps(&self, name: &str) -> Table {
        let mut table = Table::new(
            name,
            0,
            vec![
                Column::text("strategy", "strategy"),
                Column::text("run", "first run after it"),
                Column::text("started", "began"),
                Column::number("before_s", "before"),
                Column::number("after_s", "after"),
                Column::number("after_over_before", "change"),
                Column::number("p", "p"),
                Column::text("changes", "what else changed"),
            ],
        );
        for line in &self.lines {
            for (step, chance) in line.steps.iter().zip(&line.chances) {
                let Some(run) = self.runs.get(step.at) else { continue };
                table.push(vec![
                    Cell::text(line.strategy.as_str()),
                    Cell::text(run.label.as_str()),
                    Cell::text(format::utc(run.started_unix_s)),
                    Cell::seconds(Some(step.before)),
                    Cell::seconds(Some(step.after)),
                    factor(Some(step.after / step.before)),
                    Cell::pair(format::significant(*chance), chance.to_string()),
                    Cell::text(run.changes.join("; ")),
                ]);
            }
        }
        table
    }

    /// What is said where there is no step.
    pub fn no_step(&self) -> String {
        match self.lines.iter().filter(|line| line.window().is_some()).map(|line| line.looked_at).max() {
            Some(runs) => {
                format!("No strategy takes a step in the last {}.", format::counted(runs, "run", "runs"))
            }
            None => {
                let runs = self.lines.iter().map(|line| line.looked_at).max().unwrap_or_default();
                let few = if runs < FEW {
                    format!(" It takes some {FEW} runs to tell one from chance; here are {runs}.")
                } else {
                    String::new()
                };
                format!("No strategy takes a step.{few}")
            }
        }
    }

    /// The heading of its picture.
    pub fn title(&self) -> String {
        let family = self.family.as_deref().map(|name| format!(", family {name}")).unwrap_or_default();
        format!("{}{family}: {} time from run to run", self.config, self.metric)
    }

    fn panels(&self) -> Vec<Panel> {
        self.lines
            .iter()
            .map(|line| Panel {
                title: line.strategy.clone(),
                about: format!(
                    "geometric mean over {}{}",
                    format::counted(line.tasks, "task", "tasks"),
                    line.window().map(|window| format!("; {window}")).unwrap_or_default()
                ),
                from: line.from,
                values: line.values.clone(),
                steps: line.steps.clone(),
            })
            .collect()
    }
}

fn factor(ratio: Option<f64>) -> Cell {
    ratio.filter(|ratio| ratio.is_finite()).map_or_else(Cell::absent, |ratio| {
        Cell::pair(format!("{:+.1} %", (ratio - 1.0) * 100.0), ratio.to_string())
    })
}

/// Writes `trend.md`, `trend.html`, and for each of `trends` a picture `plots/trend*.svg`, `.png` and `.csv`
/// and tables `tables/trend*` and `tables/steps*` as CSV, Markdown and LaTeX. Gives the files made. The same
/// trends give the same bytes.
///
/// # Errors
///
/// When a file cannot be written; the files before it are in place.
pub fn write_trends(trends: &[Trend], dir: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let mut output = Output::new(dir);
    let mut document = Document::default();
    document.heading(1, "Times from run to run");
    if trends.is_empty() {
        document.paragraph("There is nothing to show.");
    }
    let raster = Raster::default();
    for (trend, number) in trends.iter().zip(1_usize..) {
        let end = if number == 1 { String::new() } else { format!("-{number}") };
        let name = format!("trend{end}");
        document.heading(2, trend.title());
        document.paragraph(format!(
            "{}; {}.",
            trend.machine,
            format::counted(trend.runs.len(), "run", "runs")
        ));
        let labels: Vec<String> = trend.runs.iter().map(|run| run.label.clone()).collect();
        let panels = trend.panels();
        let beyond = panels.len().saturating_sub(MOST);
        let subtitle = if beyond == 0 {
            trend.machine.clone()
        } else {
            format!("{}; {beyond} more strategies are not drawn", trend.machine)
        };
        let chart = Chart { title: &trend.title(), subtitle: &subtitle, runs: &labels, panels: &panels };
        let draw = |reason| ReportError::Draw { name: name.clone(), reason };
        if let Some(svg) = chart.svg().map_err(draw)? {
            output.write(&format!("plots/{name}.svg"), &svg)?;
            output.write(&format!("plots/{name}.png"), raster.png(&svg).map_err(draw)?)?;
            output.write(&format!("plots/{name}.csv"), chart.csv())?;
            document.blocks.push(Block::Picture { name: name.clone(), alt: trend.title() });
        }
        let tables = [trend.table(&name), trend.steps(&format!("steps{end}"))];
        for table in tables {
            crate::write_table(&mut output, &table)?;
            if table.rows().is_empty() {
                document.paragraph(trend.no_step());
            } else {
                document.table(table);
            }
        }
    }
    output.write("trend.md", markdown::markdown(&document))?;
    output.write("trend.html", html::html("Times from run to run", &document))?;
    Ok(output.into_written())
}
