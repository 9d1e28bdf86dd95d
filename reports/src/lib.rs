//! What a person reads of a run: the CSV of its records, tables, plots and a summary.
//!
//! Everything here is made from a [`Dataset`] alone: no backend, no runner, no clock and no machine is asked, so that
//! the same records give the same bytes wherever and whenever the reports are made again.
//!
//! - [`dataset`]: what goes in: records with their judgements
//! - [`results`]: `results.csv`, one row per record
//! - [`stats`]: medians, scores, intervals
//! - [`output`]: where files go, whole or not at all
//!
//! Figures and tables are values made by pure functions; rendering them is another step.

pub mod dataset;
pub mod output;
pub mod results;
pub mod stats;

use std::path::{Path, PathBuf};

pub use dataset::{Dataset, Row};
pub use output::ReportError;

use output::Output;

/// Makes every report of `dataset` in the directory `dir`, which is created if need be, and gives the paths of the
/// files made, in the order in which they were made.
///
/// Each file is replaced whole: a reader sees the old one or the new one. Made again from the same dataset, every file
/// has the same bytes. Files in `dir` that are not reports are left alone.
///
/// # Errors
///
/// When a file cannot be written; the files before it are in place.
pub fn write_all(dataset: &Dataset, dir: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let mut output = Output::new(dir);
    output.write("results.csv", results::results_csv(dataset))?;
    Ok(output.into_written())
}
