//! When a difference between two runs counts as a regression: the section `regress` of a configuration.

use serde::{Deserialize, Serialize};

/// Which time is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// Processor time of the whole process tree of a record, cold: user and system, by the kernel; without
    /// what a record without work takes in the same run.
    #[default]
    Own,
    /// The same with what a record without work takes.
    Cpu,
    /// The phase `solve`, by the clock: its warm median where the work was repeated, else its cold time.
    Solve,
}

impl Metric {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Own, Self::Cpu, Self::Solve];

    /// The name in configs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Cpu => "cpu",
            Self::Solve => "solve",
        }
    }
}

/// What a counter that differs means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CounterRule {
    /// Any difference is a regression, as with a snapshot.
    Exact,
    /// More is a regression, less is told.
    #[default]
    Growth,
    /// Differences are told.
    Show,
}

impl CounterRule {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Exact, Self::Growth, Self::Show];

    /// The name in configs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Growth => "growth",
            Self::Show => "show",
        }
    }
}

/// When a difference counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// Which time is compared.
    pub metric: Metric,
    /// A strategy is slower in a family when its geometric-mean ratio is at least this and its interval lies
    /// above 1.
    pub ratio: f64,
    /// A single task is slower when its ratio is at least this and its rank test is below `alpha`.
    pub task_ratio: f64,
    /// Intervals have the confidence `1 - alpha`; tests of tasks are corrected so that the chance of one
    /// false finding in a whole comparison is `alpha`.
    pub alpha: f64,
    /// How often a suspected regression is run again before it counts; each time must show it.
    pub confirm: u32,
    /// What a counter that differs means.
    pub counters: CounterRule,
    /// Counters that may differ: names, or patterns with `*`.
    pub ignore: Vec<String>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            metric: Metric::default(),
            ratio: 1.10,
            task_ratio: 1.5,
            alpha: 0.05,
            confirm: 2,
            counters: CounterRule::default(),
            ignore: Vec::new(),
        }
    }
}
