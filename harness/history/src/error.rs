//! What can go wrong with a history. Each message names the file and the way out.

use std::path::{Path, PathBuf};

use harness_store::StoreError;
use rusqlite::ErrorCode;

use crate::selector::LEAST_PREFIX;

/// Why a history cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// There is no file.
    #[error(
        "{}: there is no history here: `harness history add DIR` makes one from the directory of a run",
        path.display()
    )]
    None {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The file is a database of something else, or none.
    #[error("{}: is no history of this program: name another file with --db", path.display())]
    NotOurs {
        /// Which.
        path: PathBuf,
    },
    /// The name is not that of a file.
    #[error("--db {}: is no file, so nothing would be kept: name a file", path.display())]
    NoFile {
        /// The name.
        path: PathBuf,
    },
    /// The file was written by a newer build.
    #[error(
        "{}: has version {found} of the history's tables and this build knows up to {known}: update harness, or name another \
         file with --db and add the runs' directories again",
        path.display()
    )]
    Newer {
        /// Which.
        path: PathBuf,
        /// The version that the file says it has.
        found: i64,
        /// The newest one that this build reads.
        known: i64,
    },
    /// What is in the file cannot be understood.
    #[error(
        "{}: the history is damaged: {what}. `harness history add --replace` with the directory of a run mends that run; the whole file \
         can be built again: delete it, then `harness history add` each run's directory",
        path.display()
    )]
    Damaged {
        /// Which.
        path: PathBuf,
        /// Where and how.
        what: String,
    },
    /// Another process holds the file.
    #[error("{}: another process is writing to this history; try again when it has ended", path.display())]
    Busy {
        /// Which.
        path: PathBuf,
    },
    /// The file cannot be opened, read or written.
    #[error("{}: cannot {doing}: {source}", path.display())]
    Sql {
        /// Which.
        path: PathBuf,
        /// What was tried, such as `add a run`.
        doing: &'static str,
        /// Why not.
        source: rusqlite::Error,
    },
    /// The run to be added cannot be read.
    #[error(transparent)]
    Run(#[from] StoreError),
    /// The tasks of the run to be added are not those that it was made with.
    #[error(
        "{}: tasks.jsonl is not what the run was made with, so its records could not be judged; the command that made the run \
         writes it again",
        path.display()
    )]
    TasksChanged {
        /// The run's directory.
        path: PathBuf,
    },
    /// The run to be added has no record that can be read.
    #[error("{}: has no record that can be read, so there is nothing to add{}", path.display(), first(damaged))]
    NoRecords {
        /// The run's directory.
        path: PathBuf,
        /// Lines that could not be read.
        damaged: Vec<harness_store::Damage>,
    },
    /// The history has records of the run to be added that its directory does not have.
    #[error(
        "{}: run #{number} of {} is this run, and {lost} of its {stored} records are not in the directory, or other ones: nothing is \
         replaced. If the directory is right, add it with --replace",
        dir.display(),
        path.display()
    )]
    Fewer {
        /// The history.
        path: PathBuf,
        /// The run's directory.
        dir: PathBuf,
        /// The run's number in the history.
        number: i64,
        /// Records that would be lost.
        lost: u64,
        /// Records that the history has of it.
        stored: u64,
    },
    /// The records that the history has of the run to be added cannot be read.
    #[error(
        "{}: run #{number} of {} is this run, and the records that are there cannot be read ({why}), so some may be lost that the \
         directory does not have: nothing is replaced. If the directory is right, add it with --replace",
        dir.display(),
        path.display()
    )]
    DamagedRun {
        /// The history.
        path: PathBuf,
        /// The run's directory.
        dir: PathBuf,
        /// The run's number in the history.
        number: i64,
        /// Why they cannot be read.
        why: String,
    },
    /// A selector means the run that is to be compared with it, and nothing else.
    #[error(
        "{}: '{selector}' means run #{number} alone, which is the very run that is compared: add an earlier one with `harness history \
         add DIR`, or name another baseline",
        path.display()
    )]
    OnlyItself {
        /// The history.
        path: PathBuf,
        /// What was asked for.
        selector: String,
        /// The run's number in the history.
        number: i64,
    },
    /// No run is meant by a selector.
    #[error("{}: there is no run '{selector}' in this history{}: `harness history list` shows what there is", path.display(), way_out(selector))]
    NoSuchRun {
        /// The history.
        path: PathBuf,
        /// What was asked for.
        selector: String,
    },
    /// Several commits are meant by a selector.
    #[error("{}: '{selector}' can mean any of the commits {}: name one with more letters", path.display(), commits.join(", "))]
    Ambiguous {
        /// The history.
        path: PathBuf,
        /// What was asked for.
        selector: String,
        /// What begins so.
        commits: Vec<String>,
    },
}

fn first(damaged: &[harness_store::Damage]) -> String {
    damaged.first().map(|damage| format!(" (records.jsonl, {damage})")).unwrap_or_default()
}

impl HistoryError {
    /// For `map_err`: `doing` failed on `path`.
    pub(crate) fn sql(path: &Path, doing: &'static str) -> impl FnOnce(rusqlite::Error) -> Self {
        let path = path.to_owned();
        move |source| match source.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path },
            Some(ErrorCode::NotADatabase) => Self::NotOurs { path },
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged { path, what: source.to_string() },
            _ => match source {
                // A value of a kind that no build of ours writes.
                rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::Utf8Error(..) => Self::Damaged { path, what: source.to_string() },
                source => Self::Sql { path, doing, source },
            },
        }
    }
}

/// What may have been meant by a name that no run has.
fn way_out(selector: &str) -> String {
    if !selector.is_empty() && selector.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!(" (the run with that number is '#{selector}')");
    }
    if selector.chars().count() < LEAST_PREFIX {
        return format!(" (a commit is named by at least {LEAST_PREFIX} letters)");
    }
    String::new()
}
