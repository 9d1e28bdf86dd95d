//! Runs over time: a SQLite file made from runs' directories, and what a strategy's times did from run to
//! run.
//!
//! The file is an index and nothing more: it holds what is in `run.json`, `tasks.jsonl` and `records.jsonl`
//! of each run, so it can be thrown away and built again from the directories. Like those it holds no
//! judgement: whoever reads a run from it judges the records again. FORMATS.md at the root of the repository
//! describes the tables.
//!
//! - [`History`]: adding runs, listing them, reading one back
//! - [`Selector`]: how a run is named on the command line
//! - [`schema`]: the tables, their versions, and how an older file becomes a newer one
//! - [`series`]: the times of a strategy over runs that may be compared
//! - [`steps`]: where a series takes a step that is not noise
//! - [`HistoryError`]: what can go wrong, and the way out

mod drift;
mod error;
mod history;
mod parts;
pub mod schema;
mod selector;
pub mod series;
pub mod steps;

pub use error::HistoryError;
pub use history::{Added, Head, History, Run};
pub use selector::Selector;
pub use series::{Lacks, Left, Point, Series, Times, trend};
pub use steps::{Rule, Step};

/// The file's name where none is chosen, in the current directory.
pub const DEFAULT_FILE: &str = "history.sqlite";
