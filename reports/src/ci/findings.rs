//! What a comparison found, one entry each, the worst first: what annotations and summaries are made from.

use std::collections::BTreeMap;

use harness_regress::{
    Comparison, CounterChange, Group, Standing, StatusChange, StatusKind, TaskRow, Unsteady,
};

use super::{family, nothing, percent, short};
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
            with_faults(
                "Two strategies of the current run contradict each other, or one is known to be wrong",
                &comparison.faults.contradictions,
            ),
        );
    }
    let invalid = comparison.statuses.iter().any(|change| change.kind == StatusKind::InvalidModel);
    if comparison.invalid_model && !invalid {
        add(
            Level::Error,
            "A model is invalid".to_owned(),
            with_faults(
                "A model of the current run does not satisfy its problem; the baseline does not have this record",
                &comparison.faults.invalid_models,
            ),
        );
    }
    for group in comparison.slower_groups() {
        add(Level::Error, format!("Slower: {}, {}", group.strategy, family(group)), group_text(group));
    }
    for row in comparison.slower_tasks() {
        add(Level::Error, format!("Slower: {}, one task", row.strategy), task_text(row));
    }
    for ((strategy, counter), (tasks, example)) in counters(comparison) {
        add(
            Level::Error,
            format!("{counter} changed: {strategy}"),
            counters_text(strategy, counter, tasks, example),
        );
    }
    if let Some(why) = comparison.nothing_compared() {
        add(Level::Error, "Nothing was compared".to_owned(), nothing(why));
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

/// What is wrong, and where first.
fn with_faults(what: &str, lines: &[String]) -> String {
    match lines {
        [] => format!("{what}."),
        [one] => format!("{what}: {one}"),
        [first, rest @ ..] => format!("{what}: {first}; and {} more", rest.len()),
    }
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

/// The counters that count, by strategy and counter: on how many tasks, and an example.
pub fn counters(comparison: &Comparison) -> BTreeMap<(&str, &str), (u64, Option<&CounterChange>)> {
    let mut by_name: BTreeMap<(&str, &str), (u64, Option<&CounterChange>)> = BTreeMap::new();
    for counts in comparison.counter_counts.iter().filter(|counts| counts.count > 0) {
        by_name.entry((&counts.strategy, &counts.counter)).or_default().0 += counts.count;
    }
    for change in comparison.counters.iter().filter(|change| change.counts) {
        by_name.entry((&change.strategy, &change.counter)).or_default().1.get_or_insert(change);
    }
    by_name
}

/// A strategy's counter as a sentence; of several tasks, the first stands for all.
fn counters_text(strategy: &str, counter: &str, tasks: u64, example: Option<&CounterChange>) -> String {
    let first = example.map(|change| {
        let (before, after) = change.values("none");
        format!(": from {before} to {after} on {}", change.task)
    });
    format!(
        "{strategy} has another number of {counter} on {}{}.",
        counted(usize::try_from(tasks).unwrap_or(usize::MAX), "task", "tasks"),
        first.unwrap_or_default()
    )
}

/// A counter that cannot be compared, as a sentence without the strategy.
pub fn unsteady(counter: &Unsteady) -> String {
    format!(
        "{} is not the same in all repeats of the baseline on {}, such as {}: not compared",
        counter.counter,
        counted(usize::try_from(counter.tasks).unwrap_or(usize::MAX), "task", "tasks"),
        counter.task
    )
}

/// That records are missing, as a sentence.
pub fn missing(comparison: &Comparison) -> String {
    let side = &comparison.current;
    format!("The current run has {} of {} records.", side.records, side.planned)
}
