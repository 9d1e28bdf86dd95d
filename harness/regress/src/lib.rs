//! Two runs of one study compared: what became slower, wrong or more work, and what is only noise.
//!
//! - [`observations`]: a run in the compact form in which it is compared
//! - [`compare()`]: the comparison, a pure function of two runs and the rules
//! - [`comparison`]: what it finds, as a plain value; `confirm`: what is suspected, and decided by fresh
//!   records
//! - [`conditions`]: whether two runs may be compared at all
//! - `drift`: what the machine did to all times alike
//! - `interval`: the geometric-mean ratio with its bootstrap interval
//!
//! Knows records and judgements, but no judge, no runner and no file: whoever calls it has read, judged and
//! run.

mod compare;
pub mod comparison;
pub mod conditions;
mod confirm;
mod drift;
mod interval;
pub mod observations;

pub use compare::{Setting, compare};
pub use comparison::{
    Comparison, CounterChange, CounterCount, Decision, Extent, Faults, Group, Side, Standing, StatusChange,
    StatusKind, TaskRow, Unsteady,
};
pub use conditions::{Condition, differences};
pub use drift::{LEAST_FOR_DRIFT, common};
pub use harness_model::rules::{CounterRule, Metric, Rules};
pub use observations::Observations;
