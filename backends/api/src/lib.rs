//! What a backend is. Implementations never see each other, the runner, or the expected verdict.
//!
//! - [`strategy`]: the trait that every strategy implements
//! - [`family`]: strategies that differ in options, their names, and the registry; [`options`]: options as
//!   data; [`treatment`]: what a strategy does with an operation
//! - [`budget`]: cooperative limits, ticked in every loop
//! - [`probe`]: phases and counters, the columns of the tables
//! - [`progress`]: phases and counters so far, for a worker that kills its child
//! - [`scratch`]: where the child that makes a record may write files
//! - [`libraries`]: where programs that a strategy starts find their libraries
//! - [`reasons`]: sets of numbers, the assertions that something depends on
//! - [`protocol`]: what the runner and a worker process say to each other

pub mod budget;
pub mod family;
pub mod libraries;
pub mod options;
pub mod probe;
pub mod progress;
pub mod protocol;
pub mod reasons;
pub mod scratch;
pub mod strategy;
pub mod treatment;

pub use budget::{Budget, Stop};
pub use family::{Conflict, Family, FamilySpec, Preset, Registry, Resolved};
pub use harness_theory::Op;
pub use options::{Kind, OptionSpec, Options, Value, time_text};
pub use probe::Probe;
pub use progress::Board;
pub use reasons::Reasons;
pub use strategy::{BackendError, Ending, Run, Strategy, StrategyInfo};
pub use treatment::{Taken, Treatment};
