//! A comparison as people read it in a terminal: what is bad first, then a line a group, then what to know beside.

use std::fmt::Write as _;

use harness_model::record::RunKey;
use harness_regress::{Comparison, Decision, Group, Standing, StatusKind};

use crate::out::{self, Loud};
use crate::summary;

/// At most so many lines of a kind are printed.
const SHOWN: usize = 10;

/// At most so many groups; beyond, those without a difference are left out.
const GROUPS: usize = 60;

/// The whole text.
pub fn text(found: &Comparison) -> String {
    let mut text = String::new();
    let headline = headline(found);
    if matches!(found.decision, Decision::Fine) {
        let _ = writeln!(text, "{headline}");
    } else {
        let _ = writeln!(text, "{}", Loud(headline));
    }
    let how = if found.interleaved { ", run alternately" } else { "" };
    let _ = writeln!(
        text,
        "{}: {} ({} records) against {} ({} records){how}\n",
        found.name, found.current.label, found.current.records, found.baseline.label, found.baseline.records
    );
    statuses(&mut text, found);
    slow_tasks(&mut text, found);
    counters(&mut text, found);
    groups(&mut text, found);
    if let Some(drift) = found.drift {
        let _ = writeln!(text, "Ratios are without what all strategies have in common: times {drift:.3}.");
    }
    for note in &found.notes {
        let _ = writeln!(text, "note: {note}");
    }
    text
}

/// What comes of it, in a line.
fn headline(found: &Comparison) -> String {
    let count = |kind| found.statuses.iter().filter(|change| change.kind == kind).count();
    match found.decision {
        Decision::Wrong => {
            format!("WRONG: {} verdicts are wrong or contradicted", count(StatusKind::Wrong).max(1))
        }
        Decision::InvalidModel => {
            format!("WRONG MODELS: {} do not satisfy their problems", count(StatusKind::InvalidModel).max(1))
        }
        Decision::Regression => {
            let mut what = Vec::new();
            let slower = found.slower_groups().len();
            if found.times_decide && slower > 0 {
                what.push(format!("{slower} groups are slower"));
            }
            let tasks = found.slower_tasks().count();
            if found.times_decide && tasks > 0 {
                what.push(format!("{tasks} tasks are slower"));
            }
            let lost = count(StatusKind::Lost);
            if lost > 0 {
                what.push(format!("{lost} tasks are not solved any more"));
            }
            if found.counters_differ.1 > 0 {
                what.push(format!("{} counters differ", found.counters_differ.1));
            }
            format!("REGRESSION: {}", what.join(", "))
        }
        Decision::Incomplete => "INCOMPLETE: records are missing".to_owned(),
        Decision::Fine => "No regression".to_owned(),
    }
}

fn statuses(text: &mut String, found: &Comparison) {
    let mut changes: Vec<_> = found.statuses.iter().collect();
    changes.sort_by_key(|change| change.kind);
    for change in changes.iter().take(SHOWN) {
        let detail = if change.detail.is_empty() { String::new() } else { format!(": {}", change.detail) };
        let _ = writeln!(
            text,
            "{}: {} by {}: {} then, {} now{detail}",
            change.kind.name(),
            change.task,
            change.strategy,
            change.before,
            change.after
        );
    }
    more(text, changes.len());
}

fn slow_tasks(text: &mut String, found: &Comparison) {
    for row in found.slower_tasks().take(SHOWN) {
        let _ = writeln!(
            text,
            "slower: {} by {}: {} then, {} now, times {:.2} (p = {:.4})",
            row.task,
            row.strategy,
            time(row.before_ns.unwrap_or(0.0)),
            time(row.after_ns.unwrap_or(0.0)),
            row.ratio.unwrap_or(1.0),
            row.p.unwrap_or(1.0)
        );
    }
    more(text, found.slower_tasks().count());
}

fn counters(text: &mut String, found: &Comparison) {
    let show =
        |value: Option<u64>| value.map_or_else(|| "not reported".to_owned(), |value| value.to_string());
    for change in found.counters.iter().take(SHOWN) {
        let _ = writeln!(
            text,
            "counter{}: {} of {} by {}: {} then, {} now",
            if change.counts { "" } else { " (does not count)" },
            change.counter,
            change.task,
            change.strategy,
            show(change.before),
            show(change.after)
        );
    }
    more(text, usize::try_from(found.counters_differ.0).unwrap_or(usize::MAX));
    if !found.unsteady.is_empty() {
        let names: Vec<String> = found
            .unsteady
            .iter()
            .take(SHOWN)
            .map(|(strategy, counter)| format!("{counter} of {strategy}"))
            .collect();
        let _ = writeln!(text, "not the same in all repeats, so not compared: {}", names.join(", "));
    }
}

fn more(text: &mut String, all: usize) {
    if all > SHOWN {
        let _ = writeln!(text, "  … and {} more", all - SHOWN);
    }
}

fn groups(text: &mut String, found: &Comparison) {
    let mut rows = vec![
        ["strategy", "family", "tasks", "solved", "before", "now", "ratio", "interval", ""]
            .map(str::to_owned)
            .to_vec(),
    ];
    let few = found.groups.len() <= GROUPS;
    let shown = |group: &&Group| few || group.family.is_none() || group.standing != Standing::Same;
    rows.extend(found.groups.iter().filter(shown).map(row));
    if !text.is_empty() && !text.ends_with("\n\n") {
        text.push('\n');
    }
    text.push_str(&out::table(&rows));
    let _ = writeln!(
        text,
        "Times are {} of medians; a ratio above 1 is slower, and counts from {:.2} on.",
        match found.rules.metric {
            harness_regress::Metric::Cpu => "sums of the processor time",
            harness_regress::Metric::Solve => "sums of the phase solve",
        },
        found.rules.ratio
    );
}

fn row(group: &Group) -> Vec<String> {
    let solved = if group.solved_before == group.solved_after {
        group.solved_after.to_string()
    } else {
        format!("{} -> {}", group.solved_before, group.solved_after)
    };
    vec![
        group.strategy.to_string(),
        group.family.as_deref().unwrap_or("all").to_owned(),
        group.tasks.to_string(),
        solved,
        time(group.before_ns),
        time(group.after_ns),
        group.ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.3}")),
        group.interval.map_or_else(|| "-".to_owned(), |(low, high)| format!("{low:.3} to {high:.3}")),
        if group.standing == Standing::Same { String::new() } else { group.standing.name().to_owned() },
    ]
}

fn time(ns: f64) -> String {
    summary::time(ns / 1e9)
}

/// Lines that say which records are missing of `what`; none if none is.
pub fn missing(what: &str, keys: &[RunKey]) -> Vec<String> {
    if keys.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("{} records of {what} are missing", keys.len())];
    lines.extend(keys.iter().take(SHOWN).map(|key| format!("missing: {key}")));
    if keys.len() > SHOWN {
        lines.push(format!("… and {} more", keys.len() - SHOWN));
    }
    lines
}
