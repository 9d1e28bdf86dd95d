//! JUnit XML: a suite for each strategy, and in it three cases for each family: times, verdicts, counters. Their names are
//! the same from run to run, so that a case has a history; and they are few, whatever the number of tasks.
//!
//! Elements and attributes are those that Jenkins, GitLab and GitHub's reporters read: `testsuites` and `testsuite` with `tests`,
//! `failures`, `errors`, `skipped` and `time`, `testcase` with `classname`, `name` and `time`, and in it `failure`, `skipped` or `system-out`.

use std::collections::{BTreeMap, BTreeSet};

use harness_regress::{
    Comparison, CounterChange, Group, Standing, StatusChange, StatusKind, TaskRow, Unsteady,
};

use super::findings::{group_text, missing, status, task_text, unsteady};
use super::{family, nothing, side, strategies};
use crate::format::counted;

/// So many lines of a failure are told.
const LINES: usize = 50;

/// What became of a case.
enum Outcome {
    Passed,
    /// It passed, and there are lines to be known beside.
    Told(Vec<String>),
    /// Why it cannot be told.
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
pub fn junit(comparison: &Comparison) -> String {
    let rows = Rows::of(comparison);
    let mut suites: Vec<(String, Vec<Case>)> =
        vec![(format!("{}: the run", comparison.name), run_cases(comparison))];
    for strategy in strategies(comparison) {
        suites.push((format!("{}: {strategy}", comparison.name), rows.cases(comparison, strategy)));
    }
    let mut body = String::new();
    let mut all = Counts::default();
    for (name, cases) in &suites {
        let counts = Counts::of(cases);
        body.push_str(&format!("  <testsuite name=\"{}\" {}", attribute(name), counts.attributes()));
        if let Some(time) = timestamp(comparison.current.started_unix_s) {
            body.push_str(&format!(" timestamp=\"{time}\""));
        }
        body.push_str(">\n    <properties>\n");
        for (key, value) in [("baseline", side(&comparison.baseline)), ("current", side(&comparison.current))]
        {
            body.push_str(&format!("      <property name=\"{key}\" value=\"{}\"/>\n", attribute(&value)));
        }
        body.push_str("    </properties>\n");
        body.extend(cases.iter().map(element));
        body.push_str("  </testsuite>\n");
        all.add(&counts);
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {}>\n{body}</testsuites>\n",
        attribute(&format!("harness regress {}", comparison.name)),
        all.attributes()
    )
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
            return if told.is_empty() { Outcome::Passed } else { Outcome::Told(told) };
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

#[derive(Default)]
struct Counts {
    tests: usize,
    failures: usize,
    skipped: usize,
    seconds: f64,
}

impl Counts {
    fn of(cases: &[Case]) -> Self {
        let count = |test: fn(&Outcome) -> bool| cases.iter().filter(|case| test(&case.outcome)).count();
        Self {
            tests: cases.len(),
            failures: count(|outcome| matches!(outcome, Outcome::Failed(..))),
            skipped: count(|outcome| matches!(outcome, Outcome::Skipped(_))),
            seconds: cases.iter().map(|case| finite(case.seconds)).sum(),
        }
    }

    fn add(&mut self, other: &Self) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.skipped += other.skipped;
        self.seconds += other.seconds;
    }

    fn attributes(&self) -> String {
        format!(
            "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.9}\"",
            self.tests,
            self.failures,
            self.skipped,
            finite(self.seconds)
        )
    }
}

/// What is no number is no time.
const fn finite(seconds: f64) -> f64 {
    if seconds.is_finite() { seconds } else { 0.0 }
}

fn element(case: &Case) -> String {
    let seconds = finite(case.seconds);
    let head = format!(
        "    <testcase classname=\"{}\" name=\"{}\" time=\"{seconds:.9}\"",
        attribute(&case.class),
        attribute(&case.name)
    );
    match &case.outcome {
        Outcome::Passed => format!("{head}/>\n"),
        Outcome::Told(lines) => {
            let text = told(&Lines::from(lines.clone()));
            format!("{head}>\n      <system-out>{text}</system-out>\n    </testcase>\n")
        }
        Outcome::Skipped(why) => {
            format!("{head}>\n      <skipped message=\"{}\"/>\n    </testcase>\n", attribute(why))
        }
        Outcome::Failed(kind, what, lines) => {
            let text = told(lines);
            format!(
                "{head}>\n      <failure type=\"{kind}\" message=\"{}\">{text}</failure>\n    </testcase>\n",
                attribute(what)
            )
        }
    }
}

/// The first lines, and how many more there are.
fn told(lines: &Lines) -> String {
    let shown = lines.known.len().min(LINES);
    let mut text: String = lines.known[..shown].iter().map(|line| format!("{}\n", content(line))).collect();
    if lines.all > shown {
        text.push_str(&format!("and {} more\n", lines.all - shown));
    }
    text
}

/// Seconds since 1970 as ISO 8601 without a zone, as the format has it: `2001-09-09T01:46:40`.
fn timestamp(unix_s: f64) -> Option<String> {
    let text = crate::format::utc(unix_s);
    let (date, rest) = text.split_once(' ')?;
    let (time, _) = rest.split_once(' ')?;
    Some(format!("{date}T{time}"))
}

/// Text between tags. What XML 1.0 cannot hold becomes a replacement character.
fn content(text: &str) -> String {
    escape(text, false)
}

/// Text between quotes, where line ends and tabs would become blanks unless they are spelled out.
fn attribute(text: &str) -> String {
    escape(text, true)
}

fn escape(text: &str, quoted: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            // Always, since "]]>" may not stand in a text.
            '>' => out.push_str("&gt;"),
            '"' if quoted => out.push_str("&quot;"),
            '\r' => out.push_str("&#13;"),
            '\n' | '\t' if quoted => out.push_str(&format!("&#{};", u32::from(c))),
            '\n' | '\t' => out.push(c),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(attribute("a\"b\n<c>&\u{1}"), "a&quot;b&#10;&lt;c&gt;&amp;\u{fffd}");
        assert_eq!(content("]]>\r\n\"x\""), "]]&gt;&#13;\n\"x\"");
        assert_eq!(timestamp(1e9).as_deref(), Some("2001-09-09T01:46:40"));
        assert_eq!(timestamp(f64::NAN), None);
    }
}
