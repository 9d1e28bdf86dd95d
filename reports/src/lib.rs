//! What a person reads of a run: the CSV of its records, tables, plots and a summary.
//!
//! Everything here is made from a [`Dataset`] alone: no backend, no runner, no clock and no machine is asked,
//! so that the same records give the same bytes wherever and whenever the reports are made again.
//!
//! - [`dataset`]: what goes in: records with their judgements; [`attempt`], [`repeats`]:
//!   repeats taken together; [`analysis`]: both
//! - [`strategy`]: whose rows are whose, by families and options of strategies
//! - [`results`]: `results.csv`, one row per record; [`mod@question`]: what is in a task, to look for it by
//! - [`stats`]: medians, scores, intervals; [`mod@format`]: numbers as people read them
//! - [`claim`]: what the papers found, tested on the rows of the run
//! - [`overview`], [`mod@scores`], [`common`], [`mod@unsupported`]: tables of every run, each a
//!   [`table::Table`]
//! - [`layout`]: tables and figures of papers, which a config asks for; [`published`]: the figures printed
//!   there
//! - [`plot`](mod@plot): pictures
//! - [`summary`]: a [`document::Document`] of all of it, rendered by [`markdown`] and [`html`];
//!   `page`: `index.html`, with all records; [`latex`]: tables for papers
//! - [`trend`]: times from run to run
//! - [`ci`]: two runs compared, in the formats that continuous integration reads
//! - [`output`]: where files go, whole or not at all
//!
//! Figures and tables are values made by pure functions; rendering them is another step.

pub mod analysis;
pub mod attempt;
pub mod ci;
pub mod claim;
pub mod common;
mod csv_text;
pub mod dataset;
pub mod document;
pub mod format;
pub mod html;
pub mod latex;
pub mod layout;
pub mod markdown;
pub mod output;
pub mod overview;
pub(crate) mod page;
pub mod plot;
pub mod published;
pub mod question;
pub mod repeats;
pub mod results;
pub mod scores;
pub mod strategy;
pub mod summary;
pub mod table;
pub mod trend;
pub mod unsupported;

use std::path::{Path, PathBuf};

use rayon::prelude::*;

pub use dataset::{Dataset, Drawing, Row};
pub use harness_stats as stats;
pub use output::ReportError;

use analysis::Analysis;
use layout::Section;
use output::Output;
use plot::raster::Raster;
use plot::{Picture, Plot};

/// Makes every report of `dataset` in the directory `dir`, which is created if need be, and gives the paths
/// of the files made, in the order in which they were made: `results.csv`; `tables/*.csv` with exact figures,
/// `.md` and `.tex` with rounded ones; `plots/*.svg` and `.png`, and `.csv` with what is drawn; `summary.md`,
/// `index.html`.
///
/// Each file is replaced whole: a reader sees the old one or the new one. Made again from the same dataset,
/// every file has the same bytes. Files in `dir` that are not reports are left alone.
///
/// # Errors
///
/// When a file cannot be written; the files before it are in place.
pub fn write_all(dataset: &Dataset, dir: &Path) -> Result<Vec<PathBuf>, ReportError> {
    write_against(dataset, None, dir)
}

/// Another run, which `index.html` compares with.
#[derive(Clone, Copy, Debug)]
pub struct Against<'a> {
    /// Its records.
    pub dataset: &'a Dataset,
    /// What differs between the conditions of the two, a sentence each.
    pub warnings: &'a [String],
}

/// [`write_all`], with another run beside this one in `index.html`.
///
/// # Errors
///
/// As of [`write_all`].
pub fn write_against(
    dataset: &Dataset,
    against: Option<Against<'_>>,
    dir: &Path,
) -> Result<Vec<PathBuf>, ReportError> {
    let mut output = Output::new(dir);
    output.write_with("results.csv", |file| results::write_results(dataset, file))?;

    let analysis = Analysis::new(dataset);
    let sections = layout::sections(&analysis)?;
    let plots = plot::general(&analysis)?;
    let summary = summary::summary(&analysis, &sections, &plots);
    let whole = summary.whole();
    for table in whole.tables() {
        write_table(&mut output, table)?;
    }
    let drawings: Vec<Picture> = dataset.drawings.iter().map(plot::drawing).collect();
    let pictures: Vec<&Picture> = sections
        .iter()
        .flat_map(Section::plots)
        .chain(&plots)
        .filter_map(Plot::picture)
        .chain(&drawings)
        .collect();
    let raster = Raster::default();
    let drawn: Vec<Result<Vec<u8>, ReportError>> = pictures
        .par_iter()
        .map(|picture| {
            let name = picture.name.clone();
            raster.png(&picture.svg).map_err(|reason| ReportError::Draw { name, reason })
        })
        .collect();
    for (picture, png) in pictures.iter().zip(drawn) {
        output.write(&format!("plots/{}.svg", picture.name), &picture.svg)?;
        output.write(&format!("plots/{}.png", picture.name), png?)?;
        if let Some(data) = &picture.data {
            output.write(&format!("plots/{}.csv", picture.name), data)?;
        }
    }
    output.write("summary.md", markdown::markdown(&whole))?;
    let [mut first, mut rest] = [summary.first, summary.layouts];
    first.blocks.extend(summary.notes.blocks);
    rest.blocks.extend(summary.comparisons.blocks);
    let page = page::Page {
        dataset,
        other: against.map(|against| against.dataset),
        warnings: against.map_or(&[], |against| against.warnings),
        first: &first,
        rest: &rest,
        pictures: &pictures,
    };
    output.write("index.html", page.html())?;
    output.clear()?;
    Ok(output.into_written())
}

/// The table three times: exact, for people, and for papers.
fn write_table(output: &mut Output, table: &table::Table) -> Result<(), ReportError> {
    output.write(&format!("tables/{}.csv", table.name), table.csv())?;
    output.write(&format!("tables/{}.md", table.name), markdown::table(table))?;
    output.write(&format!("tables/{}.tex", table.name), latex::latex(table))
}
