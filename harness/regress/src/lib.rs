//! Two runs of one study compared: what became slower, wrong or more work, and what is only noise.
//!
//! - [`comparison`]: what is found, as a plain value

pub mod comparison;

pub use comparison::{
    Comparison, CounterChange, CounterRule, Decision, Group, Metric, Rules, Side, Standing, StatusChange,
    StatusKind, TaskRow,
};
