//! `results.csv`: one header row, one row per record, for other people's scripts.
//!
//! The first columns are fixed and in this order:
//! `task,family,alphabet,strategy,repeat,status,expected,wall_s,cpu_s, peak_rss_kib,witness,detail`. Then
//! follow, each group sorted by name:
//!
//! - `phase.NAME_s`: what tables show, the warm median where the work was repeated, else the one cold time;
//!   where any record of the run was repeated also `phase.NAME_cold_s`, the first time, and
//!   `phase.NAME_mad_s`, the median absolute deviation of the repetitions;
//! - `count.NAME`: counters, and `count.samples`, the number of repetitions behind `phase.solve_s`.
//!
//! Seconds have a decimal point and nine decimals: nothing is rounded to zero, nothing is lost. What was not
//! measured is an empty cell, never 0. A column exists when at least one record has it.

use std::collections::BTreeMap;

use harness_model::record::Record;

use crate::csv_text::CsvText;
use crate::dataset::{Dataset, Row};

/// The fixed first columns.
pub const COLUMNS: [&str; 12] = [
    "task",
    "family",
    "alphabet",
    "strategy",
    "repeat",
    "status",
    "expected",
    "wall_s",
    "cpu_s",
    "peak_rss_kib",
    "witness",
    "detail",
];

/// The file's text. Cost: linear in the records, and one pass more to find the columns.
pub fn results_csv(dataset: &Dataset) -> String {
    let mut phase_columns = BTreeMap::new();
    let mut count_columns = BTreeMap::new();
    for row in dataset.rows() {
        phase_columns.extend(phase_cells(&row.record).into_iter().map(|(name, _)| (name, ())));
        count_columns.extend(count_cells(&row.record).into_iter().map(|(name, _)| (name, ())));
    }
    let names: Vec<String> = phase_columns.into_keys().chain(count_columns.into_keys()).collect();

    let header = COLUMNS.iter().copied().chain(names.iter().map(String::as_str));
    let mut text = CsvText::with_header(header);
    for row in dataset.rows() {
        let mut measured: BTreeMap<String, String> = phase_cells(&row.record).into_iter().collect();
        measured.extend(count_cells(&row.record));
        let cells = names.iter().map(|name| measured.remove(name).unwrap_or_default());
        text.push(fixed_cells(row).into_iter().chain(cells));
    }
    text.finish()
}

fn fixed_cells(row: &Row) -> [String; 12] {
    let Row { record, judgement } = row;
    let usage = |cell: fn(&harness_model::record::Usage) -> String| {
        record.usage.as_ref().map(cell).unwrap_or_default()
    };
    [
        record.key.task.clone(),
        record.family.clone(),
        record.alphabet.to_string(),
        record.key.strategy.clone(),
        record.key.repeat.to_string(),
        judgement.status.to_string(),
        judgement.expected.map(|verdict| verdict.to_string()).unwrap_or_default(),
        usage(|u| exact_seconds(u.wall_ns)),
        usage(|u| exact_seconds(u.cpu_ns)),
        // Rounded up: a process that had any page resident did not use 0 KiB.
        usage(|u| u.peak_rss_bytes.div_ceil(1024).to_string()),
        judgement.witness.clone().unwrap_or_default(),
        judgement.detail.clone(),
    ]
}

fn phase_cells(record: &Record) -> Vec<(String, String)> {
    let mut cells = Vec::new();
    for (name, time) in &record.phases {
        cells.push((format!("phase.{name}_s"), exact_seconds(time.shown_ns())));
        if let Some(warm) = time.warm {
            cells.push((format!("phase.{name}_cold_s"), exact_seconds(time.cold_ns)));
            cells.push((format!("phase.{name}_mad_s"), exact_seconds(warm.mad_ns)));
        }
    }
    cells
}

fn count_cells(record: &Record) -> Vec<(String, String)> {
    let mut cells: Vec<(String, String)> =
        record.counters.iter().map(|(name, value)| (format!("count.{name}"), value.to_string())).collect();
    if let Some(warm) = record.phases.get("solve").and_then(|time| time.warm) {
        cells.push(("count.samples".to_owned(), warm.samples.to_string()));
    }
    cells
}

/// Nanoseconds as seconds with all nine decimals, by integer arithmetic.
fn exact_seconds(ns: u64) -> String {
    format!("{}.{:09}", ns / 1_000_000_000, ns % 1_000_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_never_rounded() {
        assert_eq!(exact_seconds(1), "0.000000001");
        assert_eq!(exact_seconds(0), "0.000000000");
        assert_eq!(exact_seconds(61_000_000_007), "61.000000007");
    }
}
