//! What each strategy did in each family and alphabet: verdicts, failures, times, memory, score.

use std::collections::{BTreeMap, BTreeSet};

use harness_model::{Alphabet, Status, Verdict};

use crate::dataset::{Dataset, Row};
use crate::format;
use crate::repeats::{Trial, shown, trials, usual_spread};
use crate::stats;
use crate::table::{Cell, Column, Table};

/// The verdicts and statuses that have a column, with its title.
const STATUSES: [(Status, &str); 13] = [
    (Status::Answered(Verdict::Empty), "empty"),
    (Status::Answered(Verdict::Nonempty), "nonempty"),
    (Status::Answered(Verdict::Sat), "sat"),
    (Status::Answered(Verdict::Unsat), "unsat"),
    (Status::Answered(Verdict::UnsatWithinBound), "unsat within bound"),
    (Status::Answered(Verdict::Unknown), "unknown"),
    (Status::Timeout, "time-out"),
    (Status::Memout, "mem-out"),
    (Status::Crash, "crash"),
    (Status::Error, "error"),
    (Status::Unsupported, "unsupported"),
    (Status::Wrong, "WRONG"),
    (Status::InvalidModel, "INVALID MODEL"),
];

/// The rows of one strategy in one family and alphabet, in the order in which tables show them.
pub fn grouped(dataset: &Dataset) -> BTreeMap<(&str, Alphabet, usize), Vec<&Row>> {
    let order: BTreeMap<&str, usize> =
        dataset.strategies().into_iter().enumerate().map(|(i, name)| (name, i)).collect();
    let mut groups: BTreeMap<(&str, Alphabet, usize), Vec<&Row>> = BTreeMap::new();
    for row in dataset.rows() {
        let place = order.get(row.strategy()).copied().unwrap_or(order.len());
        groups.entry((&row.record.family, row.record.alphabet, place)).or_default().push(row);
    }
    groups
}

/// One row for each strategy, family and alphabet.
pub fn overview(dataset: &Dataset) -> Table {
    let mut columns = vec![
        Column::text("family", "family"),
        Column::text("alphabet", "alphabet"),
        Column::text("strategy", "strategy"),
        Column::number("records", "records"),
    ];
    // A column of their own, for runs without repeats have a record for each task.
    let repeated = dataset.run.repeats > 1;
    columns.extend(repeated.then(|| Column::number("tasks", "tasks")));
    columns.push(Column::number("solved", "solved"));
    columns.extend(STATUSES.iter().map(|(status, title)| Column::number(status.name(), title).optional()));
    columns.extend([
        Column::number("left_out", "not counted"),
        Column::number("total_solve_s", "total solve"),
        Column::number("median_solve_s", "median solve"),
    ]);
    columns.extend(repeated.then(|| Column::number("repeat_spread", "spread of repeats")));
    columns.extend([
        Column::number("total_prepare_and_solve_s", "total prepare + solve"),
        Column::number("par2_s", "PAR-2"),
        Column::number("peak_rss_kib", "peak memory"),
    ]);
    let mut table = Table::new("strategies", 2, columns);
    let limit = dataset.run.limits.time().as_secs_f64();
    for ((family, alphabet, _), rows) in grouped(dataset) {
        let trials = trials(&rows);
        let full: Vec<&Trial<'_>> = trials.iter().filter(|trial| trial.is_full()).collect();
        let times: Vec<Option<f64>> = trials.iter().map(|trial| trial.time(Row::solve_s)).collect();
        let solved: Vec<f64> = times.iter().copied().flatten().collect();
        let whole = |row: &Row| Some(row.solve_s()? + row.phase_s("prepare")?);
        let all: Vec<f64> = full.iter().filter_map(|trial| trial.time(whole)).collect();
        let peak = rows.iter().filter_map(|row| row.record.usage).map(|usage| usage.peak_rss_bytes).max();
        let mut cells = vec![
            Cell::text(family),
            Cell::text(alphabet.name()),
            Cell::text(rows[0].strategy()),
            Cell::count(rows.len()),
        ];
        cells.extend(repeated.then(|| Cell::count(trials.len())));
        cells.push(Cell::count(full.len()));
        let statuses: Vec<Status> = trials.iter().map(Trial::status).collect();
        cells.extend(
            STATUSES.iter().map(|(s, _)| Cell::count(statuses.iter().filter(|status| *status == s).count())),
        );
        cells.extend([
            Cell::count(trials.len() - solved.len()),
            Cell::seconds(total(&solved)),
            Cell::seconds(stats::median(&solved)),
        ]);
        cells.extend(repeated.then(|| {
            let spread = usual_spread(&trials, Row::solve_s);
            spread.map_or_else(Cell::absent, |spread| Cell::pair(shown(spread), spread.to_string()))
        }));
        cells.extend([
            Cell::seconds(total(&all)),
            Cell::seconds(stats::par2(&times, limit)),
            peak.map_or_else(Cell::absent, |bytes| {
                Cell::pair(format::bytes(bytes), bytes.div_ceil(1024).to_string())
            }),
        ]);
        table.push(cells);
    }
    if repeated {
        table.note(
            "The repeats of a task count once: it is solved when all of them are, its time is their median, and of statuses that \
             differ the worst one counts. Spread of repeats: how far the longest and the shortest of the usual task lie from their \
             middle, as a share of their median.",
        );
    }
    table.note(
        "Total and median add up the phase solve of the correct verdicts alone. Reading and building (the phase \
         prepare) are in \"total prepare + solve\" only.",
    );
    table.note(
        "Not counted in the times: every record that is not a correct verdict, for the reasons that the columns \
         between \"solved\" and \"not counted\" count. A column that would be 0 throughout is not shown.",
    );
    table.note(format!(
        "PAR-2: the mean of solve over all records, where one without a correct verdict counts as twice the limit \
         of {}.",
        format::chosen(dataset.run.limits.time())
    ));
    let bound = dataset.rows().iter().filter(|row| row.is_within_bound()).count();
    if bound > 0 {
        table.note(
            "Unsat within bound does not count as solved here: the strategy has exhausted its bound, which proves no more. The papers \
             count it as unsat, and so do tables in their layout.",
        );
        let refuted = refuted(dataset);
        if refuted > 0 {
            table.note(format!(
                "{refuted} of the {bound} answers within a bound are refuted by a checked model of another strategy: the bound was too \
                 small.",
            ));
        }
    }
    table.note("Peak memory: the largest of any record, solved or not.");
    table
}

/// How many answers within a bound there are on tasks that another strategy has satisfied, by a model that
/// was checked.
pub fn refuted(dataset: &Dataset) -> usize {
    let satisfied: BTreeSet<&str> = dataset
        .rows()
        .iter()
        .filter(|row| row.status() == Status::Answered(Verdict::Sat))
        .map(Row::task)
        .collect();
    dataset.rows().iter().filter(|row| row.is_within_bound() && satisfied.contains(row.task())).count()
}

/// The sum, unless there is nothing to add up.
pub(crate) fn total(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum())
}
