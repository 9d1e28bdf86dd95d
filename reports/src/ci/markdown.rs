//! A summary for a pull request or a job's page, in GitHub's Markdown, no larger than it may be.
//!
//! What failed comes first, then what may interest. When the next row would not fit, the table ends there,
//! and the last line says how many rows of what are missing; no table, block or character is cut in two.
//! Names stand in code spans, so that nothing in them is markup, a mention of a person or a reference to an
//! issue.

use harness_regress::{
    Comparison, CounterChange, CounterCount, Group, Side, Standing, StatusChange, StatusKind, TaskRow,
    Unsteady,
};

use super::{family, headline, nothing, percent, short, side};
use crate::format::{self, counted};
use crate::markdown::escape;

/// The largest size unless another one is asked for, in bytes: a comment on GitHub may have 65,536
/// characters.
pub const CAP: usize = 60_000;

/// Below this there is no room for what every summary says.
const LEAST_CAP: usize = 4_000;

/// Kept free for the ends of tables and for the last line.
const RESERVE: usize = 1_200;

/// What the large table has a row for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Layout {
    /// A strategy in a family.
    #[default]
    Family,
    /// A strategy on a task.
    Task,
}

impl Layout {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Family, Self::Task];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Family => "family",
            Self::Task => "task",
        }
    }
}

/// The summary, at most `cap` bytes long; a cap below 4,000 is taken for that.
pub fn markdown(comparison: &Comparison, layout: Layout, cap: usize) -> String {
    let mut page = Page {
        text: String::new(),
        cap: cap.max(LEAST_CAP),
        missing: Vec::new(),
        unlisted: comparison.counters_differ.0.saturating_sub(comparison.counters.len() as u64),
    };
    page.put(&format!("## {}: {}\n\n", headline(comparison), code(&comparison.name)));
    page.put(&format!("{}\n\n", sentence(comparison)));
    sides(&mut page, comparison);
    alarms(&mut page, comparison);

    let rows = |kinds: &'static [StatusKind]| -> Vec<&StatusChange> {
        comparison.statuses.iter().filter(|change| kinds.contains(&change.kind)).collect()
    };
    let bad = rows(&[StatusKind::Wrong, StatusKind::InvalidModel, StatusKind::Lost]);
    page.table("Verdicts", "verdicts", STATUS_HEAD, bad.iter().map(|change| status_row(change)));
    let slower = comparison.slower_groups();
    page.table("Slower", "slower families", GROUP_HEAD, slower.iter().map(|group| group_row(group)));
    page.table("Slower tasks", "slower tasks", TASK_HEAD, comparison.slower_tasks().map(task_row));
    counters(&mut page, comparison);
    let unconfirmed =
        comparison.groups.iter().filter(|group| group.standing == Standing::Unconfirmed).map(group_row);
    page.table("Slower at first, but not when run again", "unconfirmed families", GROUP_HEAD, unconfirmed);
    let good = rows(&[StatusKind::Unconfirmed, StatusKind::Gained, StatusKind::Other]);
    page.table(
        "Other changes of verdicts",
        "other verdicts",
        STATUS_HEAD,
        good.iter().map(|change| status_row(change)),
    );
    page.table(
        "Counters that are not compared",
        "unsteady counters",
        UNSTEADY_HEAD,
        comparison.unsteady.iter().map(unsteady_row),
    );
    if !comparison.notes.is_empty() {
        page.list("Notes", "notes", comparison.notes.iter().map(|note| escape(&short(note))));
    }

    match layout {
        Layout::Family => {
            page.folded(
                "All strategies by family",
                "families",
                GROUP_HEAD,
                comparison.groups.iter().map(group_row),
            );
        }
        Layout::Task => {
            page.folded("All tasks", "tasks", TASK_HEAD, comparison.tasks.iter().map(task_row));
        }
    }
    page.finish()
}

/// What came of it, in one sentence.
fn sentence(comparison: &Comparison) -> String {
    let of = |kind: StatusKind| comparison.statuses.iter().filter(|change| change.kind == kind).count();
    let slower_tasks = comparison.slower_tasks().count();
    let counts = [
        (of(StatusKind::Wrong), "wrong verdict", "wrong verdicts"),
        (of(StatusKind::InvalidModel), "invalid model", "invalid models"),
        (of(StatusKind::Lost), "lost task", "lost tasks"),
        (comparison.slower_groups().len(), "slower family", "slower families"),
        (slower_tasks, "slower task", "slower tasks"),
        (
            usize::try_from(comparison.counters_differ.1).unwrap_or(usize::MAX),
            "counter that counts",
            "counters that count",
        ),
    ];
    let mut found: Vec<String> =
        counts.iter().filter(|(n, ..)| *n > 0).map(|(n, one, many)| counted(*n, one, many)).collect();
    // Those of records that the baseline does not have.
    if comparison.disagreement && of(StatusKind::Wrong) == 0 {
        found.insert(0, "verdicts that are wrong or contradicted".to_owned());
    }
    if comparison.invalid_model && of(StatusKind::InvalidModel) == 0 {
        found.insert(0, "models that do not satisfy their problems".to_owned());
    }
    let gained = of(StatusKind::Gained);
    let faster = comparison.groups.iter().filter(|group| group.standing == Standing::Faster).count();
    let better: Vec<String> = [
        (gained, "task is solved that was not", "tasks are solved that were not"),
        (faster, "family got faster", "families got faster"),
    ]
    .iter()
    .filter(|(n, ..)| *n > 0)
    .map(|(n, one, many)| counted(*n, one, many))
    .collect();
    let mut text = if let Some(why) = comparison.nothing_compared().filter(|_| found.is_empty()) {
        nothing(why)
    } else if found.is_empty() {
        "Nothing got slower, wrong or lost, and nothing is more work.".to_owned()
    } else {
        format!("Found: {}.", found.join(", "))
    };
    if !better.is_empty() {
        text.push_str(&format!(" {}.", better.join(", ")));
    }
    text
}

fn sides(page: &mut Page, comparison: &Comparison) {
    let (before, now) = (&comparison.baseline, &comparison.current);
    let row =
        |name: &str, of: &dyn Fn(&Side) -> String| format!("| {name} | {} | {} |\n", of(before), of(now));
    let mut text = "| | baseline | current |\n|---|---|---|\n".to_owned();
    text.push_str(&row("run", &|s| code_in_table(&side(s))));
    text.push_str(&row("started", &|s| format::utc(s.started_unix_s)));
    text.push_str(&row("records", &|s| format!("{} of {}", s.records, s.planned)));
    text.push_str(&row("machine", &|s| {
        escape(&short(&format!("{}, {} cores, {}", s.machine.cpu, s.machine.cores, s.machine.kernel)))
    }));
    let rules = &comparison.rules;
    text.push_str(&format!(
        "\nTime: {}, geometric mean over tasks of the ratio of medians. Slower: at least {} with an interval of {} % above 1. {}{}\n\n",
        rules.metric.name(),
        percent(rules.ratio),
        ((1.0 - rules.alpha) * 1e6).round() / 1e4,
        if comparison.interleaved {
            "Both were run at the same time, record by record."
        } else {
            "The baseline was run at another time."
        },
        match comparison.drift {
            Some(drift) => format!(
                " What is taken for the machine ({}) is taken out of the ratios.",
                percent(drift)
            ),
            None => String::new(),
        }
    ));
    page.put(&text);
}

fn alarms(page: &mut Page, comparison: &Comparison) {
    if comparison.disagreement {
        page.put(&alarm(
            "Two strategies of the current run contradict each other, or one is known to be wrong.",
            &comparison.faults.contradictions,
        ));
    }
    if comparison.invalid_model {
        page.put(&alarm(
            "A model of the current run does not satisfy its problem.",
            &comparison.faults.invalid_models,
        ));
    }
    if !comparison.complete {
        page.put(&format!("> [!WARNING]\n> {}\n\n", super::findings::missing(comparison)));
    }
    if !comparison.times_decide {
        page.put("> [!NOTE]\n> Times are shown and decide nothing: they were measured under conditions that differ.\n\n");
    }
}

/// A block that nobody overlooks, with a line for each fault.
fn alarm(what: &str, lines: &[String]) -> String {
    let mut text = format!("> [!CAUTION]\n> {what}\n");
    if !lines.is_empty() {
        text.push_str(">\n");
    }
    text.extend(lines.iter().map(|line| format!("> - {}\n", code(line))));
    text.push('\n');
    text
}

/// The number of differing counters from which on they are counted by family before they are listed.
const MANY: u64 = 20;

fn counters(page: &mut Page, comparison: &Comparison) {
    let (differ, counting) = comparison.counters_differ;
    if differ == 0 {
        return;
    }
    let title = format!("Counters: {differ} differ, {counting} of them count");
    if differ >= MANY {
        let mut counts: Vec<&CounterCount> = comparison.counter_counts.iter().collect();
        counts.sort_by_key(|counts| std::cmp::Reverse((counts.count, counts.differ)));
        page.table(&title, "counts of counters", COUNT_HEAD, counts.into_iter().map(count_row));
        page.table("Counters by task", "counters", COUNTER_HEAD, comparison.counters.iter().map(counter_row));
    } else {
        page.table(&title, "counters", COUNTER_HEAD, comparison.counters.iter().map(counter_row));
    }
}

const GROUP_HEAD: &str = "| strategy | family | tasks | solved | before | now | change | interval | |\n\
                          |---|---|--:|--:|--:|--:|--:|---|---|\n";

fn group_row(group: &Group) -> String {
    let solved = if group.solved_before == group.solved_after {
        group.solved_after.to_string()
    } else {
        format!("{} → {}", group.solved_before, group.solved_after)
    };
    let (name, place) = (code_in_table(&group.strategy), family(group));
    let place = if group.family.is_some() { code_in_table(place) } else { format!("*{place}*") };
    let time = |ns: f64| if group.tasks == 0 { "–".to_owned() } else { format::duration(ns / 1e9) };
    format!(
        "| {name} | {place} | {} | {solved} | {} | {} | {} | {} | {} |\n",
        group.tasks,
        time(group.before_ns),
        time(group.after_ns),
        change(group.ratio, group.standing),
        group
            .interval
            .map_or_else(|| "–".to_owned(), |(low, high)| format!("{} to {}", percent(low), percent(high))),
        group.standing,
    )
}

const TASK_HEAD: &str =
    "| strategy | task | before | now | change | p | repeats | |\n|---|---|--:|--:|--:|--:|--:|---|\n";

fn task_row(row: &TaskRow) -> String {
    let time = |ns: Option<f64>| ns.map_or_else(|| "–".to_owned(), |ns| format::duration(ns / 1e9));
    format!(
        "| {} | {} | {} | {} | {} | {} | {}, {} | {} |\n",
        code_in_table(&row.strategy),
        code_in_table(&row.task),
        time(row.before_ns),
        time(row.after_ns),
        change(row.ratio, row.standing),
        row.p.map_or_else(|| "–".to_owned(), format::significant),
        row.samples.0,
        row.samples.1,
        row.standing,
    )
}

fn change(ratio: Option<f64>, standing: Standing) -> String {
    match ratio {
        Some(ratio) if standing == Standing::Slower => format!("**{}**", percent(ratio)),
        Some(ratio) => percent(ratio),
        None => "–".to_owned(),
    }
}

const STATUS_HEAD: &str = "| strategy | task | before | now | | detail |\n|---|---|---|---|---|---|\n";

fn status_row(change: &StatusChange) -> String {
    let detail = if change.detail.is_empty() { String::new() } else { code_in_table(&change.detail) };
    format!(
        "| {} | {} | {} | {} | {} | {detail} |\n",
        code_in_table(&change.strategy),
        code_in_table(&change.task),
        change.before,
        change.after,
        change.kind.name()
    )
}

const COUNTER_HEAD: &str =
    "| strategy | counter | task | before | now | counts |\n|---|---|---|--:|--:|---|\n";

fn counter_row(change: &CounterChange) -> String {
    let (before, after) = change.values("–");
    format!(
        "| {} | {} | {} | {before} | {after} | {} |\n",
        code_in_table(&change.strategy),
        code_in_table(&change.counter),
        code_in_table(&change.task),
        if change.counts { "yes" } else { "no" }
    )
}

const COUNT_HEAD: &str = "| strategy | family | counter | differ | count |\n|---|---|---|--:|--:|\n";

fn count_row(counts: &CounterCount) -> String {
    format!(
        "| {} | {} | {} | {} | {} |\n",
        code_in_table(&counts.strategy),
        code_in_table(&counts.family),
        code_in_table(&counts.counter),
        counts.differ,
        counts.count
    )
}

const UNSTEADY_HEAD: &str = "Their repeats in the baseline are not the same.\n\n\
                             | strategy | family | counter | tasks | such as |\n|---|---|---|--:|---|\n";

fn unsteady_row(counter: &Unsteady) -> String {
    format!(
        "| {} | {} | {} | {} | {} |\n",
        code_in_table(&counter.strategy),
        code_in_table(&counter.family),
        code_in_table(&counter.counter),
        counter.tasks,
        code_in_table(&counter.task)
    )
}

/// Text that grows until it is full.
struct Page {
    text: String,
    cap: usize,
    /// How many rows of what had no room.
    missing: Vec<(usize, &'static str)>,
    /// Counters that differ, and that the comparison itself does not list.
    unlisted: u64,
}

impl Page {
    /// Adds a piece if it fits.
    fn put(&mut self, piece: &str) -> bool {
        let fits = self.text.len() + piece.len() + RESERVE <= self.cap;
        if fits {
            self.text.push_str(piece);
        }
        fits
    }

    /// Adds pieces as long as they fit, under a heading that only stands there with at least one of them.
    fn rows(&mut self, heading: &str, what: &'static str, rows: impl Iterator<Item = String>, end: &str) {
        let mut rows = rows.peekable();
        let Some(first) = rows.peek() else { return };
        let mut left = 0;
        if self.text.len() + heading.len() + first.len() + RESERVE <= self.cap {
            self.text.push_str(heading);
            let mut full = false;
            for row in rows.by_ref() {
                full = full || !self.put(&row);
                if full {
                    left = 1;
                    break;
                }
            }
            self.text.push_str(end);
        }
        left += rows.count();
        if left > 0 {
            self.missing.push((left, what));
        }
    }

    fn table(&mut self, title: &str, what: &'static str, head: &str, rows: impl Iterator<Item = String>) {
        self.rows(&format!("### {title}\n\n{head}"), what, rows, "\n");
    }

    fn list(&mut self, title: &str, what: &'static str, items: impl Iterator<Item = String>) {
        self.rows(&format!("### {title}\n\n"), what, items.map(|item| format!("- {item}\n")), "\n");
    }

    /// A table that is folded away until somebody wants it.
    fn folded(&mut self, title: &str, what: &'static str, head: &str, rows: impl Iterator<Item = String>) {
        let heading = format!("<details>\n<summary>{title}</summary>\n\n{head}");
        self.rows(&heading, what, rows, "\n</details>\n\n");
    }

    fn finish(mut self) -> String {
        if !self.missing.is_empty() {
            let parts: Vec<String> =
                self.missing.iter().map(|(n, what)| format!("{n} rows of {what}")).collect();
            // The reserve has room for it.
            self.text.push_str(&format!(
                "Left out, since this summary may have {} bytes: {}. These rows are in the file that `--json` writes.\n",
                self.cap,
                parts.join(", ")
            ));
        }
        if self.unlisted > 0 {
            self.text.push_str(&format!(
                "\nOf the counters that differ, {} are nowhere listed by task, only counted by family.\n",
                self.unlisted
            ));
        }
        while self.text.ends_with("\n\n") {
            self.text.pop();
        }
        self.text
    }
}

/// A name as a code span.
fn code(text: &str) -> String {
    let text: String = short(text).chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.trim().is_empty() {
        return "–".to_owned();
    }
    // A span ends at as many backticks as it begins with.
    let runs = text.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0) + 1);
    let edge = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{edge}{text}{edge}{fence}")
}

/// A name as a code span in a cell, where a bar would end the cell even inside of the span.
fn code_in_table(text: &str) -> String {
    code(text).replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_code_spans() {
        assert_eq!(code("a @b #1 <c>"), "`a @b #1 <c>`");
        assert_eq!(code("`x``"), "``` `x`` ```");
        assert_eq!(code("two\nlines"), "`two\u{fffd}lines`");
        assert_eq!(code_in_table("a|b"), "`a\\|b`");
        assert_eq!(code(""), "–");
        assert!(code(&"ä".repeat(5000)).chars().count() < 170);
    }
}
