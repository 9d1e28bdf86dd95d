//! What a command that ran or reported says at the end: what is wrong first and loudly, then a line a
//! strategy, then where the rest is.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use harness_judge::EXPECTED;
use harness_model::judgement::Disagreement;
use harness_model::{Question, Status, Verdict};
use harness_store::MERGED;
use reports::Dataset;
use reports::format::{self, counted};
use reports::repeats::{self, Trial};
use reports::stats::median;
use reports::strategy::starts_z3_in_prepare;

use crate::out::{self, Loud};

/// The most faults of a kind that are printed; the rest is in the reports.
const SHOWN: usize = 10;

/// The summary of `dataset`, which was reported into `dir` in the files `written`.
pub fn text(dataset: &Dataset, dir: &Path, written: &[PathBuf]) -> String {
    let mut text = String::new();
    faults(&mut text, dataset);
    let run = &dataset.run;
    let recorded = dataset.rows().len() as u64;
    let _ = writeln!(
        text,
        "{}: {recorded} of {} records, {}, {}",
        run.name,
        run.planned,
        counted(usize::try_from(run.tasks).unwrap_or(usize::MAX), "task", "tasks"),
        counted(run.strategies.len(), "strategy", "strategies")
    );
    text.push('\n');
    text.push_str(&strategies(dataset));
    text.push_str(
        "Time is that of the phase solve over solved records; reading and building are not in it.\n",
    );
    if let Some(start) = start_of_z3(dataset) {
        let _ = writeln!(
            text,
            "The start of Z3, {} in the median, is in the times of strategies that use it; layouts and claims take it off.",
            format::duration(start)
        );
    }
    for note in &dataset.notes {
        let _ = writeln!(text, "note: {}", out::line(note));
    }
    for line in &run.skipped {
        let _ = writeln!(text, "left out: {}", out::line(line));
    }
    if recorded < run.planned {
        let missing = match run.planned - recorded {
            1 => "1 record is missing".to_owned(),
            n => format!("{n} records are missing"),
        };
        let way_out = if run.overrides.contains_key(MERGED) {
            "Make the shards that are missing, and merge all of them anew."
        } else {
            "Run the same command again to continue."
        };
        let _ = writeln!(text, "\nIncomplete: {missing}. {way_out}");
    }
    files(&mut text, dir, written);
    text
}

/// The median time of Z3's start where it is a part of `solve`; `None` where it is in no record.
fn start_of_z3(dataset: &Dataset) -> Option<f64> {
    let run = &dataset.run;
    let in_solve =
        run.strategies.iter().filter(|row| !starts_z3_in_prepare(row)).map(|row| row.name.as_str());
    let in_solve: HashSet<&str> = in_solve.collect();
    let rows = dataset.rows().iter().filter(|row| in_solve.contains(row.strategy()));
    let times: Vec<f64> = rows.filter_map(|row| row.phase_s("start_z3")).collect();
    median(&times)
}

fn faults(text: &mut String, dataset: &Dataset) {
    let of = |status| dataset.rows().iter().filter(move |row| row.status() == status);
    let (wrong, invalid) = (of(Status::Wrong).count(), of(Status::InvalidModel).count());
    if dataset.disagreements.is_empty() && wrong == 0 && invalid == 0 {
        return;
    }
    let headline = format!(
        "PROBLEMS FOUND: {}, {}, {}",
        count(dataset.disagreements.len(), "disagreement"),
        count(wrong, "wrong verdict"),
        count(invalid, "witness that does not satisfy its question"),
    );
    let _ = writeln!(text, "{}", Loud(headline));
    for disagreement in dataset.disagreements.iter().take(SHOWN) {
        let question = dataset.task(&disagreement.task).map(|task| &task.question);
        let _ = writeln!(text, "  {}", out::line(&describe(disagreement, question)));
    }
    more(text, dataset.disagreements.len());
    for row in of(Status::InvalidModel).take(SHOWN) {
        let line = format!("{}: {}: {}", row.task(), row.strategy(), row.judgement.detail);
        let _ = writeln!(text, "  {}", out::line(&line));
    }
    more(text, invalid);
    text.push('\n');
}

fn more(text: &mut String, all: usize) {
    if all > SHOWN {
        let _ = writeln!(text, "  … and {} more, in summary.md", all - SHOWN);
    }
}

fn count(number: usize, what: &str) -> String {
    if number == 1 {
        return format!("1 {what}");
    }
    match what.split_once(" that ") {
        None => format!("{number} {what}s"),
        Some((noun, _)) => format!("{number} {noun}es that do not satisfy their questions"),
    }
}

/// Who said what, most voices first, and what settles it.
pub fn describe(disagreement: &Disagreement, question: Option<&Question>) -> String {
    let mut said: BTreeMap<Verdict, Vec<&str>> = BTreeMap::new();
    for (strategy, verdict) in &disagreement.said {
        said.entry(*verdict).or_default().push(strategy);
    }
    let mut said: Vec<_> = said.into_iter().collect();
    said.sort_by_key(|(_, who)| std::cmp::Reverse(who.len()));
    let voices: Vec<String> =
        said.iter().map(|(verdict, who)| format!("{} {verdict}", saying(who))).collect();
    let operation = question
        .filter(|question| question.asked() > 1)
        .and_then(|question| question.kind.describe(disagreement.operation))
        .map_or_else(String::new, |part| format!(" ({part})"));
    let settled = disagreement.settled.as_deref().unwrap_or("nothing settles it");
    format!("{}{operation}: {}; {settled}", disagreement.task, voices.join("; "))
}

/// `z3 says`, `z3 and hybrid say`; what a corpus expects is no voice.
pub fn saying(who: &[&str]) -> String {
    match who {
        [one] if *one == EXPECTED => "expected is".to_owned(),
        [one] => format!("{one} says"),
        [first @ .., last] => format!("{} and {last} say", first.join(", ")),
        [] => String::new(),
    }
}

/// One line a strategy.
fn strategies(dataset: &Dataset) -> String {
    let bad = [
        Status::Timeout,
        Status::Memout,
        Status::Crash,
        Status::Error,
        Status::Unsupported,
        Status::Wrong,
        Status::InvalidModel,
        Status::Answered(Verdict::UnsatWithinBound),
        Status::Answered(Verdict::Unknown),
    ];
    let mut rows_of: HashMap<&str, Vec<&reports::Row>> = HashMap::new();
    for row in dataset.rows() {
        rows_of.entry(row.strategy()).or_default().push(row);
    }
    // Columns that would be empty are left out.
    let shown: Vec<Status> = bad
        .into_iter()
        .filter(|status| {
            matches!(status, Status::Timeout) || dataset.rows().iter().any(|row| row.status() == *status)
        })
        .collect();
    let mut head = vec!["strategy".to_owned(), "solved".to_owned()];
    head.extend(shown.iter().map(|status| status.name().to_owned()));
    head.extend(["total".to_owned(), "median".to_owned()]);
    let repeated = dataset.run.repeats > 1;
    head.extend(repeated.then(|| "spread".to_owned()));
    let mut table = vec![head];
    for strategy in dataset.strategies() {
        let rows = rows_of.remove(strategy).unwrap_or_default();
        let mut line = vec![strategy.to_owned()];
        // The repeats of a task count once.
        let trials = repeats::trials(&rows);
        line.push(trials.iter().filter(|trial| trial.is_full()).count().to_string());
        let statuses: Vec<Status> = trials.iter().map(Trial::status).collect();
        line.extend(
            shown.iter().map(|status| statuses.iter().filter(|found| *found == status).count().to_string()),
        );
        let mut times: Vec<f64> =
            trials.iter().filter_map(|trial| trial.time(reports::Row::solve_s)).collect();
        times.sort_by(f64::total_cmp);
        if times.is_empty() {
            line.extend(["-".to_owned(), "-".to_owned()]);
        } else {
            line.push(time(times.iter().sum()));
            line.push(time(median(&times).unwrap_or(0.0)));
        }
        let spread = || repeats::usual_spread(&trials, reports::Row::solve_s);
        line.extend(repeated.then(|| spread().map_or_else(|| "-".to_owned(), repeats::shown)));
        table.push(line);
    }
    out::table(&table)
}

/// Three significant digits and a unit.
pub fn time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (s * 1e3, "ms"),
        s if s >= 1e-6 => (s * 1e6, "µs"),
        s => (s * 1e9, "ns"),
    };
    match value {
        v if v >= 99.95 => format!("{v:.0} {unit}"),
        v if v >= 9.995 => format!("{v:.1} {unit}"),
        v => format!("{v:.2} {unit}"),
    }
}

/// Where to read on: the files at the top of the directory by name, the others by folder.
fn files(text: &mut String, dir: &Path, written: &[PathBuf]) {
    let mut top = Vec::new();
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    for path in written {
        let relative = path.strip_prefix(dir).unwrap_or(path);
        match relative.parent().filter(|parent| *parent != Path::new("")) {
            Some(folder) => *folders.entry(folder.display().to_string()).or_default() += 1,
            None => top.push(relative.display().to_string()),
        }
    }
    if written.is_empty() {
        return;
    }
    top.extend(folders.into_iter().map(|(folder, files)| format!("{folder}/ ({files} files)")));
    let _ = writeln!(text, "\nIn {}: {}", dir.display(), top.join(", "));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits() {
        let cases = [
            (0.0, "0.00 ns"),
            (1.234e-6, "1.23 µs"),
            (0.0123456, "12.3 ms"),
            (0.123456, "123 ms"),
            (61.25, "61.2 s"),
            (1234.5, "1234 s"),
        ];
        for (seconds, text) in cases {
            assert_eq!(time(seconds), text);
        }
    }

    #[test]
    fn one_and_many() {
        assert_eq!(count(1, "disagreement"), "1 disagreement");
        assert_eq!(count(2, "wrong verdict"), "2 wrong verdicts");
        assert_eq!(
            count(0, "witness that does not satisfy its question"),
            "0 witnesses that do not satisfy their questions"
        );
    }
}
