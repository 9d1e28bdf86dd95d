//! What was found when two runs were compared, in the formats that continuous integration reads.
//!
//! - [`markdown()`]: a summary for a pull request, no larger than it may be
//! - [`junit()`]: JUnit XML, for test reports
//! - [`benchmark()`]: JSON of github-action-benchmark, for charts
//! - [`bencher()`]: the Bencher Metric Format
//! - [`annotations()`]: lines that GitHub shows beside the job
//!
//! All of them are pure functions of a [`Comparison`]. Names of tasks and strategies are other people's:
//! whatever is in them, the format stays whole. No number is NaN or infinite; what is unknown is left out.

mod annotations;
mod bencher;
mod benchmark;
mod findings;
mod junit;
mod markdown;

use harness_regress::{Comparison, Decision, Group};

pub use annotations::annotations;
pub use bencher::bencher;
pub use benchmark::benchmark;
pub use junit::junit;
pub use markdown::{CAP, Layout, markdown};

/// What came of a comparison, in two or three words.
pub fn headline(comparison: &Comparison) -> &'static str {
    match comparison.decision {
        Decision::Incomplete if comparison.nothing_compared().is_some() => "Nothing compared",
        Decision::Wrong => "Wrong verdict",
        Decision::InvalidModel => "Invalid model",
        Decision::Regression => "Regression",
        Decision::Incomplete => "Incomplete",
        Decision::Fine => "No regression",
    }
}

/// That nothing was compared, as a sentence.
fn nothing(why: &str) -> String {
    format!("Nothing was compared: {why}.")
}

/// A change of time as people say it: `+23.4 %`.
fn percent(ratio: f64) -> String {
    if !ratio.is_finite() {
        return "–".to_owned();
    }
    let percent = (ratio - 1.0) * 100.0;
    if percent.abs() < 9.95 { format!("{percent:+.1} %") } else { format!("{percent:+.0} %") }
}

/// The family of a group, or that it is all of them.
fn family(group: &Group) -> &str {
    group.family.as_deref().unwrap_or("all families")
}

/// The first letters of a text that could be of any length.
fn short(text: &str) -> String {
    const MOST: usize = 160;
    match text.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// What a side is called, with its commit where that says more.
fn side(side: &harness_regress::Side) -> String {
    match &side.commit {
        Some(commit) if !side.label.contains(commit.as_str()) => format!("{} ({commit})", side.label),
        _ => side.label.clone(),
    }
}

/// The strategies in the order of the groups, then those that only other rows name.
fn strategies(comparison: &Comparison) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    let groups = comparison.groups.iter().map(|group| &*group.strategy);
    let statuses = comparison.statuses.iter().map(|change| &*change.strategy);
    let counters = comparison.counters.iter().map(|change| &*change.strategy);
    for name in groups.chain(statuses).chain(counters) {
        if seen.insert(name) {
            names.push(name);
        }
    }
    names
}
