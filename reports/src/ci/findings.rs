//! What a comparison found, one entry each, the worst first: what annotations and summaries are made from.

use std::collections::BTreeMap;

use harness_regress::{Comparison, CounterChange, Group, Standing, StatusChange, StatusKind, TaskRow};

use super::{family, percent, short};
use crate::format::{self, counted};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// It makes the comparison fail.
    Error,
    /// It was suspected, and not seen again.
    Warning,
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// How bad it is.
    pub level: Level,
    /// What it is, in some words.
    pub title: String,
    /// One sentence.
    pub text: String,
}

/// All that was found, the worst first.
pub fn findings(comparison: &Comparison) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut add =
        |level, title: String, text: String| found.push(Finding { level, title: short(&title), text });
    let of = |kinds: &'static [StatusKind]| {
        comparison.statuses.iter().filter(move |change| kinds.contains(&change.kind))
    };
    for change in of(&[StatusKind::Wrong, StatusKind::InvalidModel, StatusKind::Lost]) {
        add(Level::Error, format!("{}: {}", kind(change.kind), change.strategy), status(change));
    }
    let wrong = comparison.statuses.iter().any(|change| change.kind == StatusKind::Wrong);
    if comparison.disagreement && !wrong {
        add(
            Level::Error,
            "Verdicts contradict each other".to_owned(),
            "Two strategies of the current run contradict each other, or one is known to be wrong."
                .to_owned(),
        );
    }
    let invalid = comparison.statuses.iter().any(|change| change.kind == StatusKind::InvalidModel);
    if comparison.invalid_model && !invalid {
        add(
            Level::Error,
            "A model is invalid".to_owned(),
            "A model of the current run does not satisfy its problem; the baseline does not have this record.".to_owned(),
        );
    }
    for group in comparison.slower_groups() {
        add(Level::Error, format!("Slower: {}, {}", group.strategy, family(group)), group_text(group));
    }
    for row in comparison.slower_tasks() {
        add(Level::Error, format!("Slower: {}, one task", row.strategy), task_text(row));
    }
    for ((strategy, counter), changes) in counters(comparison) {
        add(
            Level::Error,
            format!("{counter} changed: {strategy}"),
            counters_text(strategy, counter, &changes),
        );
    }
    if !comparison.complete {
        add(Level::Error, "Records are missing".to_owned(), missing(comparison));
    }
    for change in of(&[StatusKind::Unconfirmed]) {
        add(Level::Warning, format!("{}: {}", kind(change.kind), change.strategy), status(change));
    }
    for group in comparison.groups.iter().filter(|group| group.standing == Standing::Unconfirmed) {
        add(
            Level::Warning,
            format!("Perhaps slower: {}, {}", group.strategy, family(group)),
            format!("{} It was not when it was run again.", group_text(group)),
        );
    }
    for row in comparison.tasks.iter().filter(|row| row.standing == Standing::Unconfirmed) {
        add(
            Level::Warning,
            format!("Perhaps slower: {}, one task", row.strategy),
            format!("{} It was not when it was run again.", task_text(row)),
        );
    }
    found
}

const fn kind(kind: StatusKind) -> &'static str {
    match kind {
        StatusKind::Wrong => "Wrong verdict",
        StatusKind::InvalidModel => "Invalid model",
        StatusKind::Lost => "Lost",
        StatusKind::Unconfirmed => "Perhaps lost",
        StatusKind::Gained => "Gained",
        StatusKind::Other => "Changed",
    }
}

/// A changed status as a sentence.
pub fn status(change: &StatusChange) -> String {
    let detail =
        if change.detail.is_empty() { String::new() } else { format!(": {}", short(&change.detail)) };
    format!("{} on {} was {} and is {}{detail}.", change.strategy, change.task, change.before, change.after)
}

/// A group as a sentence.
pub fn group_text(group: &Group) -> String {
    let interval = group
        .interval
        .map(|(low, high)| format!(", between {} and {}", percent(low), percent(high)))
        .unwrap_or_default();
    let change = group.ratio.map_or_else(|| "not comparable".to_owned(), percent);
    format!(
        "{} in {}: {change}{interval}, on {}; {} before, {} now.",
        group.strategy,
        family(group),
        counted(usize::try_from(group.tasks).unwrap_or(usize::MAX), "task", "tasks"),
        format::duration(group.before_ns / 1e9),
        format::duration(group.after_ns / 1e9),
    )
}

/// A task as a sentence.
pub fn task_text(row: &TaskRow) -> String {
    let time = |ns: Option<f64>| ns.map_or_else(|| "no time".to_owned(), |ns| format::duration(ns / 1e9));
    let change = row.ratio.map(|ratio| format!(" ({})", percent(ratio))).unwrap_or_default();
    format!(
        "{} on {}: {} before, {} now{change}.",
        row.strategy,
        row.task,
        time(row.before_ns),
        time(row.after_ns)
    )
}

/// The counters that count, by strategy and counter.
pub fn counters(comparison: &Comparison) -> BTreeMap<(&str, &str), Vec<&CounterChange>> {
    let mut by_name: BTreeMap<(&str, &str), Vec<&CounterChange>> = BTreeMap::new();
    for change in comparison.counters.iter().filter(|change| change.counts) {
        by_name.entry((&change.strategy, &change.counter)).or_default().push(change);
    }
    by_name
}

/// A strategy's counter as a sentence; of several tasks, the first stands for all.
pub fn counters_text(strategy: &str, counter: &str, changes: &[&CounterChange]) -> String {
    let value = |value: Option<u64>| value.map_or_else(|| "none".to_owned(), |n| n.to_string());
    let first = changes.first().map(|change| {
        format!(": from {} to {} on {}", value(change.before), value(change.after), change.task)
    });
    format!(
        "{strategy} has another number of {counter} on {}{}.",
        counted(changes.len(), "task", "tasks"),
        first.unwrap_or_default()
    )
}

/// That records are missing, as a sentence.
pub fn missing(comparison: &Comparison) -> String {
    let side = &comparison.current;
    format!("The current run has {} of {} records.", side.records, side.planned)
}
