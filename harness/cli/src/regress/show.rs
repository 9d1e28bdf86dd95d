//! A comparison as people read it in a terminal: what is bad first, then a line a group, then what to know
//! beside.

use std::fmt::Write as _;

use harness_model::calibration::Pace;
use harness_model::record::RunKey;
use harness_regress::{Comparison, Decision, Group, Standing, StatusKind};
use reports::format::counted;

use crate::out::{self, Loud};
use crate::summary;

/// The most lines of a kind that are printed.
const SHOWN: usize = 10;

/// The most groups that are printed; beyond, those without a difference are left out, and of those with one
/// the smallest.
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
        "{}{how}\n",
        out::line(&format!(
            "{}: {} ({}) against {} ({})",
            found.name,
            found.current.label,
            records(found.current.records),
            found.baseline.label,
            records(found.baseline.records)
        ))
    );
    statuses(&mut text, found);
    for line in &found.faults.contradictions {
        let _ = writeln!(text, "contradiction: {}", out::line(line));
    }
    for line in &found.faults.invalid_models {
        let _ = writeln!(text, "invalid model: {}", out::line(line));
    }
    slow_tasks(&mut text, found);
    counters(&mut text, found);
    groups(&mut text, found);
    if let Some(drift) = found.drift {
        let _ = writeln!(text, "Ratios are without what is taken for the machine: times {drift:.3}.");
    }
    text.push_str(&paces(found));
    for note in &found.notes {
        let _ = writeln!(text, "note: {}", out::line(note));
    }
    text
}

/// What was measured of the machine on both sides, where it was on either.
fn paces(found: &Comparison) -> String {
    let (before, now) = (&found.baseline.pace, &found.current.pace);
    #[expect(clippy::cast_precision_loss, reason = "2^53 ns are 104 days")]
    let shown = |ns: Option<u64>| ns.map_or_else(|| "not measured".to_owned(), |ns| time(ns as f64));
    let both = |of: fn(&Pace) -> Option<u64>| (shown(of(before)), shown(of(now)));
    if *before == Pace::default() && *now == Pace::default() {
        return String::new();
    }
    let ((empty_then, empty_now), (kernel_then, kernel_now)) = (both(|p| p.empty_ns), both(|p| p.kernel_ns));
    format!(
        "An empty record took {empty_then} then, {empty_now} now; the fixed piece of work {kernel_then} then, {kernel_now} now.\n"
    )
}

fn records(n: u64) -> String {
    counted(usize::try_from(n).unwrap_or(usize::MAX), "record", "records")
}

/// What comes of it, in a line.
fn headline(found: &Comparison) -> String {
    let count = |kind| found.statuses.iter().filter(|change| change.kind == kind).count();
    match found.decision {
        Decision::Wrong => {
            let n = count(StatusKind::Wrong).max(found.faults.contradictions.len()).max(1);
            format!("WRONG: {} wrong or contradicted", counted(n, "verdict is", "verdicts are"))
        }
        Decision::InvalidModel => {
            let n = count(StatusKind::InvalidModel).max(found.faults.invalid_models.len()).max(1);
            format!(
                "WRONG MODELS: {}",
                counted(n, "does not satisfy its problem", "do not satisfy their problems")
            )
        }
        Decision::Regression => {
            let mut what = Vec::new();
            let slower = found.slower_groups().len();
            if found.times_decide && slower > 0 {
                what.push(counted(slower, "group is slower", "groups are slower"));
            }
            let tasks = found.slower_tasks().count();
            if found.times_decide && tasks > 0 {
                what.push(counted(tasks, "task is slower", "tasks are slower"));
            }
            let lost = count(StatusKind::Lost);
            if lost > 0 {
                what.push(counted(lost, "task is not solved any more", "tasks are not solved any more"));
            }
            if found.counters_differ.1 > 0 {
                let n = usize::try_from(found.counters_differ.1).unwrap_or(usize::MAX);
                what.push(counted(n, "counter differs", "counters differ"));
            }
            format!("REGRESSION: {}", what.join(", "))
        }
        Decision::Incomplete => match found.nothing_compared() {
            Some(why) => format!("NOTHING COMPARED: {why}"),
            None => "INCOMPLETE: records are missing".to_owned(),
        },
        Decision::Fine => "No regression".to_owned(),
    }
}

fn statuses(text: &mut String, found: &Comparison) {
    let mut changes: Vec<_> = found.statuses.iter().collect();
    changes.sort_by_key(|change| change.kind);
    for change in changes.iter().take(SHOWN) {
        let detail = if change.detail.is_empty() { String::new() } else { format!(": {}", change.detail) };
        let line = format!(
            "{}: {} by {}: {} then, {} now{detail}",
            change.kind.name(),
            change.task,
            change.strategy,
            change.before,
            change.after
        );
        let _ = writeln!(text, "{}", out::line(&line));
    }
    more(text, changes.len());
}

fn slow_tasks(text: &mut String, found: &Comparison) {
    for row in found.slower_tasks().take(SHOWN) {
        let line = format!(
            "slower: {} by {}: {} then, {} now, times {:.2} (p = {:.4})",
            row.task,
            row.strategy,
            time(row.before_ns.unwrap_or(0.0)),
            time(row.after_ns.unwrap_or(0.0)),
            row.ratio.unwrap_or(1.0),
            row.p.unwrap_or(1.0)
        );
        let _ = writeln!(text, "{}", out::line(&line));
    }
    more(text, found.slower_tasks().count());
}

fn counters(text: &mut String, found: &Comparison) {
    for change in found.counters.iter().take(SHOWN) {
        let (before, after) = change.values("not reported");
        let line = format!(
            "counter{}: {} of {} by {}: {before} then, {after} now{}",
            if change.counts { "" } else { " (does not count)" },
            change.counter,
            change.task,
            change.strategy,
            if change.unsteady { ", not the same in all repeats" } else { "" },
        );
        let _ = writeln!(text, "{}", out::line(&line));
    }
    more(text, usize::try_from(found.counters_differ.0).unwrap_or(usize::MAX));
    for counter in found.unsteady.iter().take(SHOWN) {
        let line = format!(
            "not compared, since not the same in all repeats of the baseline: {} by {} on {}, such as {}",
            counter.counter,
            counter.strategy,
            counted(usize::try_from(counter.tasks).unwrap_or(usize::MAX), "task", "tasks"),
            counter.task
        );
        let _ = writeln!(text, "{}", out::line(&line));
    }
    more(text, found.unsteady.len());
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
    let mut differ: Vec<&Group> = found.groups.iter().filter(|group| of_note(group)).collect();
    let left = differ.len().saturating_sub(GROUPS);
    if found.groups.len() <= GROUPS {
        rows.extend(found.groups.iter().map(row));
    } else {
        // What is slower first, the largest difference first.
        let size = |group: &Group| group.ratio.map_or(0.0, |ratio| ratio.ln().abs());
        differ.sort_by(|a, b| a.standing.cmp(&b.standing).then(size(b).total_cmp(&size(a))));
        differ.truncate(GROUPS);
        let shown = |group: &&Group| {
            group.family.is_none() || differ.iter().any(|other| std::ptr::eq(*other, *group))
        };
        rows.extend(found.groups.iter().filter(shown).map(row));
    }
    if !text.is_empty() && !text.ends_with("\n\n") {
        text.push('\n');
    }
    text.push_str(&out::table(&rows));
    if left > 0 {
        let _ = writeln!(text, "  … and {left} more that differ");
    }
    let _ = writeln!(
        text,
        "Times are {} of medians; a ratio above 1 is slower, and counts from {:.2} on.",
        match found.rules.metric {
            harness_regress::Metric::Own => "sums of the processor time without that of an empty record",
            harness_regress::Metric::Cpu => "sums of the processor time",
            harness_regress::Metric::Solve => "sums of the phase solve",
        },
        found.rules.ratio
    );
}

/// Whether a family's row says something.
fn of_note(group: &Group) -> bool {
    group.family.is_some() && group.standing != Standing::Same
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
        if group.tasks == 0 { "-".to_owned() } else { time(group.before_ns) },
        if group.tasks == 0 { "-".to_owned() } else { time(group.after_ns) },
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
    let of = if what.is_empty() { String::new() } else { format!(" of {what}") };
    let mut lines = vec![are_missing(keys.len(), &of)];
    lines.extend(keys.iter().take(SHOWN).map(|key| format!("missing: {key}")));
    if keys.len() > SHOWN {
        lines.push(format!("… and {} more", keys.len() - SHOWN));
    }
    lines
}

/// That `count` records are missing, with ` of what` between.
pub fn are_missing(count: usize, of: &str) -> String {
    format!(
        "{count} {}{of} {} missing",
        if count == 1 { "record" } else { "records" },
        if count == 1 { "is" } else { "are" }
    )
}
