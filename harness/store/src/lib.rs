//! The store: what a run leaves in its directory, and how it is read again.
//!
//! `records.jsonl` is the truth from which every report is made. It only grows, one record a line, and
//! survives a kill at any moment: what may be lost is the line that was being written. `run.json` is the head
//! of the run, `tasks.jsonl` its tasks, so that judgements and reports can be made again without the corpora;
//! `calibration.jsonl` is what was measured of the machine. FORMATS.md at the root of the repository
//! describes the four files.
//!
//! - [`RunDir`]: the write side; one run at a time, resumed where an earlier one stopped
//! - [`RunReader`]: the read side; streams records, reports damage by line; [`glance()`]: how far a run is
//! - [`Superseded`]: marks of records that were made again; [`Shard`]: a part of a plan, for runs on several
//!   machines; [`plan_differences()`], [`condition_differences()`]: what differs between two runs
//! - [`fingerprint()`]: digest of all that decides a plan
//! - [`log`]: the append-only file, over any [`log::LogFile`]
//! - [`lines`]: bounded, streaming reading of JSON Lines; `newer`: records of a newer minor version
//! - [`StoreError`]: what can go wrong, and the way out
//!
//! Depends on `harness-model` alone. It knows nothing of strategies and judges nothing.

mod dir;
mod error;
mod files;
mod fingerprint;
mod glance;
mod keys;
pub mod lines;
mod lock;
pub mod log;
mod newer;
mod plan;
mod reader;
mod shard;
mod superseded;

pub use dir::{BUILD, Difference, Differs, Notice, RunDir, THEN, condition_differences};
pub use error::StoreError;
pub use fingerprint::{fingerprint, tasks_digest};
pub use glance::{Glance, glance};
pub use lines::Damage;
pub use plan::plan_differences;
pub use reader::{Loaded, Records, RunReader, SupersededRecords};
pub use shard::{MERGED, SHARD, Shard};
pub use superseded::Superseded;

/// Name of the head of a run in its directory.
pub const RUN_FILE: &str = "run.json";
/// Name of the tasks in a run's directory.
pub const TASKS_FILE: &str = "tasks.jsonl";
/// Name of the records in a run's directory.
pub const RECORDS_FILE: &str = "records.jsonl";
/// Name of what a run measured of the machine, in its directory.
pub const CALIBRATION_FILE: &str = "calibration.jsonl";
/// Name of the marks of records that were made again, in the run's directory.
pub const SUPERSEDED_FILE: &str = "superseded.jsonl";
/// Name of the file that holds the lock.
pub const LOCK_FILE: &str = ".lock";
