//! What can go wrong with a run's directory. Each message names the file and the way out.

use std::io;
use std::path::{Path, PathBuf};

use harness_model::record::RunKey;

/// Why a run's directory cannot be used, or not any longer.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("{}: cannot {doing}: {source}{}", path.display(), hint(source))]
    Io {
        /// Which.
        path: PathBuf,
        /// What was tried, such as `write`.
        doing: &'static str,
        /// Why not.
        source: io::Error,
    },
    /// A record could not be appended; those before it are whole and stay readable.
    #[error(
        "{}: cannot append the record of {key}: {source}{}; the {kept} records before it stay readable, and the same \
         command resumes after them",
        path.display(),
        hint(source)
    )]
    Append {
        /// The log.
        path: PathBuf,
        /// Whose record is lost.
        key: RunKey,
        /// How many records the log holds.
        kept: u64,
        /// Why.
        source: io::Error,
    },
    /// The log that is being written is not the one at its path any more.
    #[error(
        "{}: was deleted, moved or replaced while the run was writing to it, so the run was stopped. If the directory \
         was moved, move it back; then the same command resumes, and makes again every record that is not in it",
        path.display()
    )]
    TakenAway {
        /// Where the log was.
        path: PathBuf,
    },
    /// The log has a record of this run already.
    #[error("{}: there is a record of {key} already; the first one stands", path.display())]
    Duplicate {
        /// The log.
        path: PathBuf,
        /// Of which run.
        key: RunKey,
    },
    /// Another process writes to the directory.
    #[error(
        "{}: another run{} is writing here: wait until it ends, or choose another --out",
        path.display(),
        holder.map(|pid| format!(" (process {pid})")).unwrap_or_default()
    )]
    Locked {
        /// The directory.
        path: PathBuf,
        /// Its process, where it said so.
        holder: Option<u32>,
    },
    /// The directory holds a run of another plan.
    #[error(
        "{}: holds the run of another plan (of config '{theirs}', {} records; this one is of '{ours}'), here or on the command line: \
         {differs}. {way_out}",
        path.display(),
        planned
    )]
    OtherPlan {
        /// The directory.
        path: PathBuf,
        /// Name of the config that made it.
        theirs: String,
        /// Name of the config at hand.
        ours: String,
        /// Size of the plan that made it.
        planned: u64,
        /// What differs.
        differs: String,
        /// What to do.
        way_out: &'static str,
    },
    /// The directory holds a run of the same plan, made elsewhere or with other versions.
    #[error(
        "{}: holds a run of this config made under other conditions ({differs}), and times from both may not be mixed. \
         Choose another --out, or delete the directory; where only 'commit' and 'program' differ, '--allow program' goes on with \
         the other build",
        path.display()
    )]
    OtherConditions {
        /// The directory.
        path: PathBuf,
        /// What differs.
        differs: String,
    },
    /// The directory is not empty and holds no run.
    #[error(
        "{}: is not empty and not a run's directory (it has '{found}' and no run.json). Choose another --out",
        path.display()
    )]
    NotOurs {
        /// The directory.
        path: PathBuf,
        /// Something in it.
        found: String,
    },
    /// There is no run to read.
    #[error(
        "{}: no run here (there is no run.json in it): name a directory that `harness compare CONFIG --out DIR` made",
        path.display()
    )]
    NoRun {
        /// The directory.
        path: PathBuf,
    },
    /// A file's content cannot be understood.
    #[error("{}:{line}:{column}: {why}. {way_out}", path.display())]
    Malformed {
        /// Which.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What is wrong.
        why: String,
        /// What to do.
        way_out: &'static str,
    },
    /// The run was written in a format that this build does not read.
    #[error("{}: {why}. Read it with the build that wrote it, or choose another --out", path.display())]
    Version {
        /// Which file.
        path: PathBuf,
        /// Too old or too new.
        why: String,
    },
}

impl StoreError {
    /// For `map_err`: `doing` failed on `path`.
    pub(crate) fn io(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, doing, source }
    }
}

/// The way out of an operating system's error, where there is one.
fn hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ": free some space, or choose an --out on another disk"
        }
        io::ErrorKind::FileTooLarge => ": raise the limit on file sizes (ulimit -f)",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            ": choose an --out that you may write to"
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            ": there is a file in the way, choose another --out"
        }
        _ => "",
    }
}
