//! What is known of a run as a whole: `run.json`. Everything that a report needs and that decides whether two
//! runs may be compared.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::alphabet::Alphabet;
use crate::limits::{Limits, Sampling};
use crate::record::RecordVersion;

/// The head of a run's directory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunInfo {
    /// Of the record format.
    pub version: RecordVersion,
    /// Of the config.
    pub name: String,
    /// The config's text, as read.
    pub config: String,
    /// Digest of all that decides the plan: tasks, strategies, repeats, limits, sampling, seed. A run resumes
    /// only in a directory with the same one.
    pub fingerprint: String,
    /// Digest of the tasks without what is expected, as they were when the run was planned; absent in runs
    /// from before it was kept.
    #[serde(default)]
    pub tasks_digest: Option<String>,
    /// From which the order is drawn.
    pub seed: u64,
    /// Worker processes at a time.
    pub workers: u32,
    /// Of each record.
    pub limits: Limits,
    /// Of short runs.
    pub sampling: Option<Sampling>,
    /// Records for each task and strategy.
    pub repeats: u32,
    /// How many records the plan has.
    pub planned: u64,
    /// How many tasks.
    pub tasks: u64,
    /// The strategies, in the config's order.
    pub strategies: Vec<StrategyRow>,
    /// Tasks or strategies that were left out, and why, in words.
    pub skipped: Vec<String>,
    /// The cells of the grid that are left out on purpose; absent in runs of format 1.1 and older, where the
    /// configuration's text alone has them.
    #[serde(default)]
    pub left_out: Vec<LeftOut>,
    /// What the command line said instead of the configuration, by option.
    #[serde(default)]
    pub overrides: BTreeMap<String, String>,
    /// Where it ran.
    pub machine: Machine,
    /// Of the harness and of the libraries and solvers in it, by name.
    pub versions: BTreeMap<String, String>,
    /// Start, in seconds since 1970.
    pub started_unix_s: f64,
    /// How the reports are laid out.
    pub report: ReportSpec,
}

/// A strategy as it was when the run was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StrategyRow {
    /// The name in records and tables: the config's `as`, or else the canonical name.
    pub name: String,
    /// The backend behind it.
    pub backend: String,
    /// Of the backend.
    pub version: String,
    /// One line.
    pub summary: String,
    /// The id of its family; empty in runs from before families were kept (1.1 and older).
    #[serde(default)]
    pub family: String,
    /// Every option of the family with its resolved value; empty where `family` is.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// The name that family and options give it, and by which a worker is asked for it; empty where `family`
    /// is.
    #[serde(default)]
    pub canonical: String,
}

/// A strategy that is not run in an alphabet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The name in the run.
    pub strategy: String,
    /// Where it is not run.
    pub alphabet: Alphabet,
    /// Why.
    pub because: String,
}

/// The machine, as far as it can change a time.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Machine {
    /// Model name of the processor.
    pub cpu: String,
    /// Cores that may be used.
    pub cores: u32,
    /// Memory, in bytes.
    pub memory_bytes: u64,
    /// Name and release of the kernel.
    pub kernel: String,
    /// Name of the system.
    pub os: String,
}

/// How the reports of a run are laid out.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ReportSpec {
    /// Names of tables and plots beside the ones that every run has. A run of another build may name some
    /// that this one does not have.
    #[serde(default)]
    pub layouts: Vec<String>,
    /// Pairs of strategies to draw against each other.
    #[serde(default)]
    pub scatter: Vec<(String, String)>,
}
