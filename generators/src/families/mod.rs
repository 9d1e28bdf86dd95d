//! The families, one file each.

mod grammars;
mod hybrid;
mod long;
mod nested_counters;
pub mod random_graphs;
mod random_regexes;
mod systems;

use harness_model::{Dialect, RegexSource};

pub use grammars::RandomGrammars;
pub use hybrid::Hybrid;
pub use long::Long;
pub use nested_counters::NestedCounters;
pub use random_graphs::RandomGraphs;
pub use random_regexes::RandomRegexes;
pub use systems::{Injection, LongSystems, RandomSystems};

/// An expression in the default dialect.
fn source(name: &str, pattern: String) -> RegexSource {
    RegexSource { name: name.to_owned(), pattern, dialect: Dialect::Dotnet }
}
