//! Typed YAML configuration of a study: which tasks, which strategies, under which limits.
//!
//! Text becomes private wire types, which mirror the file, and these become the checked public types of
//! [`config`]: whoever holds a [`Config`] need not doubt it. Unknown keys are errors; so is every name that
//! the [`Vocabulary`] does not hold. An error says file, line, column, what is wrong and the nearest right
//! name.
//!
//! - [`config`]: what a checked configuration holds
//! - [`vocabulary`]: the names that a configuration may use; the caller gives them, for this crate knows no
//!   strategy
//! - [`error`]: what is wrong with a file, and where
//! - [`schema`]: the JSON schema of a configuration, for editors
//! - [`units`]: durations such as `10s` and sizes such as `1GiB`
//! - [`names`]: patterns over names, and the nearest name
//!
//! Depends on the model, and on `backends-api` for what an option is; never on a backend, a corpus or a
//! generator.

pub mod benchexec;
mod check;
pub mod config;
pub mod error;
pub mod names;
mod plain;
pub mod schema;
mod strategies;
mod syntax;
pub mod units;
pub mod vocabulary;
mod wire;

pub use config::{
    Config, Contender, CorpusEntry, FetchedEntry, GeneratorEntry, GrammarsEntry, LeaveOut, OnBadTask, Pairs,
    Param, RegexesEntry, ScriptsEntry, SystemsEntry, TaskEntry, TaskSource,
};
pub use error::{ConfigError, Diagnostic, Position};
pub use vocabulary::{Unavailable, Vocabulary};
