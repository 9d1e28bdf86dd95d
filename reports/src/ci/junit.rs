//! JUnit XML: a suite for each strategy, and in it three cases for each family: times, verdicts, counters.
//! Their names are the same from run to run, so that a case has a history; and they are few, whatever the
//! number of tasks.
//!
//! Elements and attributes are those of the crate `quick-junit`, which Jenkins, GitLab and GitHub's reporters
//! read.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use chrono::{DateTime, Utc};
use harness_regress::{
    Comparison, CounterChange, Group, Standing, StatusChange, StatusKind, TaskRow, Unsteady,
};

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::findings::{group_text, missing, status, task_text, unsteady};
use super::{family, nothing, side, strategies};
use crate::format::counted;

/// The most lines of a failure that are shown.
const LINES: usize = 50;

/// What became of a case.
enum Outcome {
    Passed,
    /// It passed, and these lines belong to it.
    Noted(Vec<String>),
    /// Why it is undecided.
    Skipped(String),
    /// Kind, what, and lines about it.
    Failed(&'static str, String, Lines),
}

/// Lines, of which the first are shown.
struct Lines {
    known: Vec<String>,
    /// How many there are, also those that are not known.
    all: usize,
}

impl From<Vec<String>> for Lines {
    fn from(known: Vec<String>) -> Self {
        Self { all: known.len(), known }
    }
}

struct Case {
    class: String,
    name: String,
    seconds: f64,
    outcome: Outcome,
}

/// The whole file.
#[expect(clippy::expect_used, reason = "memory takes every byte, and all that is written is text")]
pub fn junit(comparison: &Comparison) -> String {
    let rows = Rows::of(comparison);
    let mut suites: Vec<(String, Vec<Case>)> =
        vec![(format!("{}: the run", comparison.name), run_cases(comparison))];
    for strategy in strategies(comparison) {
        suites.push((format!("{}: {strategy}", comparison.name), rows.cases(comparison, strategy)));
    }
    let mut report = Report::new(attribute(&format!("harness regress {}", comparison.name)));
    let all: f64 = suites.iter().map(|(_, cases)| total(cases)).sum();
    // A sum beyond all durations is of nonsense, which the cases show.
    report.set_time(Duration::try_from_secs_f64(all.max(0.0)).unwrap_or(Duration::MAX));
    report.add_test_suites(suites.iter().map(|(name, cases)| suite(comparison, name, cases)));
    report.to_string().expect("memory takes every byte, and all that is written is text")
}

/// A suite of `cases`.
fn suite(comparison: &Comparison, name: &str, cases: &[Case]) -> TestSuite {
    let mut suite = TestSuite::new(attribute(name));
    suite.extra.insert("time".into(), seconds(total(cases)).into());
    let started = comparison.current.started_unix_s;
    if let Some(time) = timestamp(started) {
        suite.set_timestamp(time);
    }
    for (key, value) in [("baseline", side(&comparison.baseline)), ("current", side(&comparison.current))] {
        suite.add_property((key, attribute(&value).as_str()));
    }
    suite.add_test_cases(cases.iter().map(test_case));
    suite
}

/// Seconds of all cases.
fn total(cases: &[Case]) -> f64 {
    finite(cases.iter().map(|case| finite(case.seconds)).sum())
}

/// Seconds with all nine decimals: the library's own three would round most cases to zero.
fn seconds(seconds: f64) -> String {
    format!("{seconds:.9}")
}

/// What is asked of the run as a whole.
fn run_cases(comparison: &Comparison) -> Vec<Case> {
    let case = |name: &str, outcome| Case {
        class: comparison.name.clone(),
        name: name.to_owned(),
        seconds: 0.0,
        outcome,
    };
    let complete = if comparison.complete {
        Outcome::Passed
    } else {
        Outcome::Failed("incomplete", missing(comparison), Vec::new().into())
    };
    let compared = match comparison.nothing_compared() {
        None => Outcome::Passed,
        Some(why) => Outcome::Failed("incomplete", nothing(why), Vec::new().into()),
    };
    let faults = &comparison.faults;
    let agreement = if comparison.disagreement {
        let what = "two strategies contradict each other, or one is known to be wrong".to_owned();
        Outcome::Failed("wrong", what, faults.contradictions.clone().into())
    } else {
        Outcome::Passed
    };
    let models = if comparison.invalid_model {
        let what = "a model does not satisfy its problem".to_owned();
        Outcome::Failed("invalid-model", what, faults.invalid_models.clone().into())
    } else {
        Outcome::Passed
    };
    vec![
        case("all records are there", complete),
        case("there was something to compare", compared),
        case("no verdict is contradicted", agreement),
        case("models satisfy their problems", models),
    ]
}

/// The rows of a comparison by strategy and family.
#[derive(Default)]
struct Rows<'a> {
    statuses: BTreeMap<(&'a str, &'a str), Vec<&'a StatusChange>>,
    counters: BTreeMap<(&'a str, &'a str), Vec<&'a CounterChange>>,
    /// How many of the counters count: also those that are not among them.
    counting: BTreeMap<(&'a str, &'a str), u64>,
    unsteady: BTreeMap<(&'a str, &'a str), Vec<&'a Unsteady>>,
    slower: BTreeMap<(&'a str, &'a str), Vec<&'a TaskRow>>,
}

impl<'a> Rows<'a> {
    fn of(comparison: &'a Comparison) -> Self {
        let mut rows = Self::default();
        for change in &comparison.statuses {
            rows.statuses.entry((&change.strategy, &change.family)).or_default().push(change);
        }
        for change in comparison.counters.iter().filter(|change| change.counts) {
            rows.counters.entry((&change.strategy, &change.family)).or_default().push(change);
        }
        for counts in comparison.counter_counts.iter().filter(|counts| counts.count > 0) {
            *rows.counting.entry((&counts.strategy, &counts.family)).or_default() += counts.count;
        }
        for counter in &comparison.unsteady {
            rows.unsteady.entry((&counter.strategy, &counter.family)).or_default().push(counter);
        }
        for row in comparison.slower_tasks() {
            rows.slower.entry((&row.strategy, &row.family)).or_default().push(row);
        }
        rows
    }

    fn cases(&self, comparison: &Comparison, strategy: &str) -> Vec<Case> {
        let groups: Vec<&Group> =
            comparison.groups.iter().filter(|group| &*group.strategy == strategy).collect();
        let class = format!("{}.{strategy}", comparison.name);
        let case =
            |name: String, seconds: f64, outcome| Case { class: class.clone(), name, seconds, outcome };
        let mut cases: Vec<Case> = groups
            .iter()
            .map(|group| {
                case(
                    format!("{}: time", family(group)),
                    group.after_ns / 1e9,
                    self.times(comparison, strategy, group),
                )
            })
            .collect();
        let mut families: Vec<&str> = groups.iter().filter_map(|group| group.family.as_deref()).collect();
        let known: BTreeSet<&str> = families.iter().copied().collect();
        let others: BTreeSet<&str> = self
            .statuses
            .keys()
            .chain(self.counters.keys())
            .chain(self.counting.keys())
            .chain(self.unsteady.keys())
            .filter(|(of, family)| *of == strategy && !known.contains(family))
            .map(|(_, family)| *family)
            .collect();
        families.extend(others);
        for family in families {
            cases.push(case(format!("{family}: verdicts"), 0.0, self.verdicts(strategy, family)));
            cases.push(case(format!("{family}: counters"), 0.0, self.work(strategy, family)));
        }
        cases
    }

    fn times(&self, comparison: &Comparison, strategy: &str, group: &Group) -> Outcome {
        if !comparison.times_decide {
            return Outcome::Skipped(
                "times decide nothing: the conditions they were measured under differ".to_owned(),
            );
        }
        let slower = group
            .family
            .as_deref()
            .and_then(|family| self.slower.get(&(strategy, family)))
            .map(Vec::as_slice)
            .unwrap_or_default();
        let lines: Vec<String> = slower.iter().map(|row| task_text(row)).collect();
        match group.standing {
            Standing::Slower => Outcome::Failed("slower", group_text(group), lines.into()),
            _ if !slower.is_empty() => {
                let what = format!("{} slower", counted(slower.len(), "task is", "tasks are"));
                Outcome::Failed("slower", what, lines.into())
            }
            Standing::NotComparable => Outcome::Skipped("there is no pair of times to compare".to_owned()),
            Standing::Unconfirmed | Standing::Same | Standing::Faster => Outcome::Passed,
        }
    }

    fn verdicts(&self, strategy: &str, family: &str) -> Outcome {
        let changes = self.statuses.get(&(strategy, family)).map(Vec::as_slice).unwrap_or_default();
        let worst = [StatusKind::Wrong, StatusKind::InvalidModel, StatusKind::Lost];
        let bad: Vec<&&StatusChange> = changes.iter().filter(|change| worst.contains(&change.kind)).collect();
        let Some(first) = bad.iter().min_by_key(|change| change.kind) else { return Outcome::Passed };
        let kind = match first.kind {
            StatusKind::Wrong => "wrong",
            StatusKind::InvalidModel => "invalid-model",
            _ => "lost",
        };
        let what = format!(
            "{} not what {} before",
            counted(bad.len(), "verdict is", "verdicts are"),
            was(bad.len())
        );
        Outcome::Failed(kind, what, bad.iter().map(|change| status(change)).collect::<Vec<_>>().into())
    }

    fn work(&self, strategy: &str, family: &str) -> Outcome {
        let cell = &(strategy, family);
        let changes = self.counters.get(cell).map(Vec::as_slice).unwrap_or_default();
        let count = self.counting.get(cell).copied().unwrap_or(0);
        let count = usize::try_from(count).unwrap_or(usize::MAX).max(changes.len());
        if count == 0 {
            let told: Vec<String> =
                self.unsteady.get(cell).into_iter().flatten().map(|c| unsteady(c)).collect();
            return if told.is_empty() { Outcome::Passed } else { Outcome::Noted(told) };
        }
        let lines = changes.iter().map(|change| {
            let (before, after) = change.values("none");
            format!("{} on {}: {before} before, {after} now", change.counter, change.task)
        });
        let what = format!("{} not what {} before", counted(count, "counter is", "counters are"), was(count));
        Outcome::Failed("counter", what, Lines { known: lines.collect(), all: count })
    }
}

const fn was(n: usize) -> &'static str {
    if n == 1 { "it was" } else { "they were" }
}

/// What is no number is no time.
const fn finite(seconds: f64) -> f64 {
    if seconds.is_finite() { seconds } else { 0.0 }
}

fn test_case(case: &Case) -> TestCase {
    let (status, told) = match &case.outcome {
        Outcome::Passed => (TestCaseStatus::success(), None),
        Outcome::Noted(lines) => (TestCaseStatus::success(), Some(first_lines(&Lines::from(lines.clone())))),
        Outcome::Skipped(why) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(attribute(why));
            (status, None)
        }
        Outcome::Failed(kind, what, lines) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(*kind).set_message(attribute(what)).set_description(first_lines(lines));
            (status, None)
        }
    };
    let mut made = TestCase::new(attribute(&case.name), status);
    made.set_classname(attribute(&case.class));
    made.extra.insert("time".into(), seconds(finite(case.seconds)).into());
    if let Some(told) = told {
        made.set_system_out(told);
    }
    made
}

/// The first lines, and how many more there are.
fn first_lines(lines: &Lines) -> String {
    let shown = lines.known.len().min(LINES);
    let mut text: String = lines.known[..shown].iter().map(|line| format!("{}\n", content(line))).collect();
    if lines.all > shown {
        text.push_str(&format!("and {} more\n", lines.all - shown));
    }
    text
}

/// Seconds since 1970 as a date; `None` when they are none.
fn timestamp(unix_s: f64) -> Option<DateTime<Utc>> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a cast of a float saturates, and too much is no date"
    )]
    unix_s.is_finite().then(|| DateTime::from_timestamp(unix_s as i64, 0)).flatten()
}

/// Text between tags. Characters that XML 1.0 cannot hold, and those that the library drops, are spelled out.
fn content(text: &str) -> String {
    spelled_out(text, |c| c == '\n')
}

/// Text between quotes, where a line end would be read as a blank.
fn attribute(text: &str) -> String {
    spelled_out(text, |_| false)
}

fn spelled_out(text: &str, keep: fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if (c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}')) && !keep(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_hold_is_spelled_out() {
        assert_eq!(attribute("a\"b\n<c>&\u{1}"), "a\"b\\n<c>&\\u{1}");
        assert_eq!(content("]]>\r\n\u{ffff}"), "]]>\\r\n\\u{ffff}");
        assert_eq!(timestamp(1e9).unwrap().to_rfc3339(), "2001-09-09T01:46:40+00:00");
        assert_eq!((timestamp(f64::NAN), timestamp(1e300)), (None, None));
    }
}
