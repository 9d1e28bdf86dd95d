//! A run's records in the formats of other tools, each made from a [`Dataset`] alone.
//!
//! - [`Format`]: which there are; [`export()`]: writes one
//! - [`table`]: records, tasks and strategies as columns with types: what `csv`, `parquet` and `sqlite` write
//! - `benchexec`: result files of BenchExec, for `table-generator`; `smtcomp`: SMT-COMP's results
//! - `verdict`: what a record claimed, for the two that have no word for a wrong answer
//! - `output`: files whole or not at all
//!
//! Judgements are made before: what is exported is what the reports of the same run say.

mod benchexec;
mod csv;
mod output;
mod parquet;
mod smtcomp;
mod sqlite;
pub mod table;
mod verdict;

use std::io;
use std::path::{Path, PathBuf};

use reports::Dataset;

use output::Output;

/// A format of another tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values: a file each for records, tasks and strategies.
    Csv,
    /// A database of SQLite.
    Sqlite,
    /// BenchExec's result files, one for each strategy and repeat.
    Benchexec,
    /// SMT-COMP's results, of scripts with one query.
    Smtcomp,
    /// Apache Parquet: the same three files as [`Format::Csv`], with types.
    Parquet,
}

/// What was written, and what the format has no place for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// The files.
    pub files: Vec<PathBuf>,
    /// A sentence for each kind of thing that was left out.
    pub left_out: Vec<String>,
}

/// Why it could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A file or folder could not be made.
    #[error("cannot write {}: {source}; nothing of the run is changed: free some space, or choose another --out", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A library did not take the data: a defect.
    #[error("cannot make {}: {reason}; this is a defect of harness: please report it with this message", path.display())]
    Encode {
        /// Which file.
        path: PathBuf,
        /// What it said.
        reason: String,
    },
}

/// Writes `dataset` in a format into the directory `dir`, which is made if need be; files of the same names
/// are replaced.
///
/// # Errors
///
/// When a file cannot be written; the files before it are in place.
pub fn export(dataset: &Dataset, format: Format, dir: &Path) -> Result<Exported, ExportError> {
    let mut output = Output::new(dir)?;
    let left_out = match format {
        Format::Csv => csv::write(dataset, &mut output)?,
        Format::Sqlite => sqlite::write(dataset, &mut output)?,
        Format::Benchexec => benchexec::write(dataset, &mut output)?,
        Format::Smtcomp => smtcomp::write(dataset, &mut output)?,
        Format::Parquet => parquet::write(dataset, &mut output)?,
    };
    Ok(Exported { files: output.into_written(), left_out })
}
