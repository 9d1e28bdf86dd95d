//! What a backend is. Implementations never see each other, the runner, or the expected verdict.
//!
//! - [`strategy`]: the trait that every strategy implements
//! - [`budget`]: cooperative limits, ticked in every loop
//! - [`probe`]: phases and counters, the columns of the tables
//! - [`protocol`]: what the runner and a worker process say to each other

pub mod budget;
pub mod probe;
pub mod protocol;
pub mod strategy;

pub use budget::{Budget, Stop};
pub use probe::Probe;
pub use strategy::{BackendError, Run, Strategy, StrategyInfo};
