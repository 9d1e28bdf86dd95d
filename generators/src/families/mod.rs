//! The families, one file each.

mod grammars;
mod hybrid;
mod long;
mod nested_counters;
pub mod random_graphs;
mod random_regexes;
mod systems;

use std::collections::BTreeMap;

use harness_model::{Dialect, RegexSource};

pub use grammars::RandomGrammars;
pub use hybrid::Hybrid;
pub use long::Long;
pub use nested_counters::NestedCounters;
pub use random_graphs::RandomGraphs;
pub use random_regexes::RandomRegexes;
pub use systems::{Injection, LongSystems, RandomSystems};

/// The parameters of a task, by name.
fn sizes<const N: usize>(named: [(&str, u32); N]) -> BTreeMap<String, i64> {
    named.into_iter().map(|(name, value)| (name.to_owned(), i64::from(value))).collect()
}

/// An expression in the default dialect.
fn source(name: &str, pattern: String) -> RegexSource {
    RegexSource { find: false, name: name.to_owned(), pattern, dialect: Dialect::Dotnet }
}
