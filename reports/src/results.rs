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

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use csv::{Terminator, WriterBuilder};
use harness_model::record::Record;

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

/// What a record has in a column behind the fixed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// A time, in nanoseconds; the column is in seconds.
    Time(u64),
    /// A counter.
    Count(u64),
}

impl Measured {
    /// As the cell has it.
    fn cell(self) -> String {
        match self {
            Self::Time(ns) => exact_seconds(ns),
            Self::Count(count) => count.to_string(),
        }
    }
}

/// The columns behind the fixed ones, in their order: those that at least one record has.
pub fn measured_columns(dataset: &Dataset) -> Vec<String> {
    let (mut phases, mut counts) = (BTreeSet::new(), BTreeSet::new());
    for row in dataset.rows() {
        for (name, value) in measured(&row.record) {
            let names = match value {
                Measured::Time(_) => &mut phases,
                Measured::Count(_) => &mut counts,
            };
            if !names.contains(&name) {
                names.insert(name);
            }
        }
    }
    phases.into_iter().chain(counts).collect()
}

/// The file's text. Cost: linear in the records, and one pass more to find the columns.
#[expect(clippy::expect_used, reason = "memory takes every byte, and all fields are text")]
pub fn results_csv(dataset: &Dataset) -> String {
    let mut bytes = Vec::new();
    write_results(dataset, &mut bytes).expect("memory takes every byte");
    String::from_utf8(bytes).expect("fields are text")
}

/// Writes the file's text, which may be larger than what one wants to hold in memory.
///
/// # Errors
///
/// Those of `to`.
pub fn write_results(dataset: &Dataset, to: impl Write) -> io::Result<()> {
    let names = measured_columns(dataset);
    let mut writer = WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(to);
    writer.write_record(COLUMNS.iter().copied().chain(names.iter().map(String::as_str)))?;
    for row in dataset.rows() {
        let mut measured: BTreeMap<String, Measured> = measured(&row.record).into_iter().collect();
        let cells = names.iter().map(|name| measured.remove(name).map_or_else(String::new, Measured::cell));
        writer.write_record(fixed_cells(row).into_iter().chain(cells))?;
    }
    writer.flush()
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

/// What a record has behind the fixed columns, by column.
pub fn measured(record: &Record) -> Vec<(String, Measured)> {
    let mut cells = Vec::with_capacity(record.phases.len() + record.counters.len());
    for (name, time) in &record.phases {
        cells.push((format!("phase.{name}_s"), Measured::Time(time.shown_ns())));
        if let Some(warm) = time.warm {
            cells.push((format!("phase.{name}_cold_s"), Measured::Time(time.cold_ns)));
            cells.push((format!("phase.{name}_mad_s"), Measured::Time(warm.mad_ns)));
        }
    }
    let counts =
        record.counters.iter().map(|(name, value)| (format!("count.{name}"), Measured::Count(*value)));
    cells.extend(counts);
    if let Some(warm) = record.phases.get("solve").and_then(|time| time.warm) {
        cells.push(("count.samples".to_owned(), Measured::Count(u64::from(warm.samples))));
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
