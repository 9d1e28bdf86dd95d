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

use std::collections::BTreeSet;
use std::io::{self, Write};

use csv::{Terminator, Writer, WriterBuilder};
use harness_model::Name;
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

/// A column behind the fixed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MeasuredColumn<'a> {
    /// What tables show of a phase.
    Phase(&'a str),
    /// The first time of a phase that was repeated.
    Cold(&'a str),
    /// The spread of its repetitions.
    Spread(&'a str),
    /// A counter.
    Count(&'a str),
    /// The number of repetitions.
    Samples,
}

impl MeasuredColumn<'_> {
    /// As the header has it.
    pub fn name(self) -> String {
        match self {
            Self::Phase(name) => format!("phase.{name}_s"),
            Self::Cold(name) => format!("phase.{name}_cold_s"),
            Self::Spread(name) => format!("phase.{name}_mad_s"),
            Self::Count(name) => format!("count.{name}"),
            Self::Samples => "count.samples".to_owned(),
        }
    }

    /// What a record has in it. Two columns of one name are one: the later one of the record counts.
    pub fn of(self, record: &Record) -> Option<Measured> {
        let time = |name: &str| record.phases.get(name);
        match self {
            Self::Phase(name) => Some(Measured::Time(time(name)?.shown_ns())),
            Self::Cold(name) => {
                let time = time(name)?;
                time.warm.map(|_| Measured::Time(time.cold_ns))
            }
            Self::Spread(name) => Some(Measured::Time(time(name)?.warm?.mad_ns)),
            Self::Count(name) => Some(Measured::Count(*record.counters.get(name)?)),
            Self::Samples => Some(Measured::Count(u64::from(time("solve")?.warm?.samples))),
        }
    }

    const fn is_time(self) -> bool {
        matches!(self, Self::Phase(_) | Self::Cold(_) | Self::Spread(_))
    }
}

/// The columns behind the fixed ones, in their order: those that at least one record has. Linear in the
/// records.
pub fn measured_of(dataset: &Dataset) -> Vec<MeasuredColumn<'_>> {
    let (mut phases, mut repeated) = (BTreeSet::new(), BTreeSet::new());
    let (mut counts, mut samples) = (BTreeSet::new(), false);
    // Most records have the names of the one before.
    for row in dataset.rows() {
        for (name, time) in &row.record.phases {
            let names = if time.warm.is_some() { &mut repeated } else { &mut phases };
            names.insert(name.as_str());
            samples |= time.warm.is_some() && name == "solve";
        }
        counts.extend(row.record.counters.keys().map(Name::as_str));
    }
    let mut columns: Vec<MeasuredColumn<'_>> =
        phases.union(&repeated).map(|name| MeasuredColumn::Phase(name)).collect();
    columns
        .extend(repeated.iter().flat_map(|name| [MeasuredColumn::Cold(name), MeasuredColumn::Spread(name)]));
    columns.extend(counts.into_iter().map(MeasuredColumn::Count));
    if samples {
        columns.push(MeasuredColumn::Samples);
    }
    columns.sort_by_cached_key(|column| (!column.is_time(), column.name()));
    // A phase may be called as another one's spread: of equal names, the last one fills the column.
    columns.reverse();
    columns.dedup_by_key(|column| column.name());
    columns.reverse();
    columns
}

/// The names of [`measured_of`].
pub fn measured_columns(dataset: &Dataset) -> Vec<String> {
    measured_of(dataset).into_iter().map(MeasuredColumn::name).collect()
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
    let columns = measured_of(dataset);
    let mut writer = WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(to);
    for column in COLUMNS {
        writer.write_field(column)?;
    }
    for column in &columns {
        writer.write_field(column.name())?;
    }
    writer.write_record(None::<&[u8]>)?;
    for row in dataset.rows() {
        write_fixed(row, &mut writer)?;
        for column in &columns {
            match column.of(&row.record) {
                Some(value) => writer.write_field(value.cell())?,
                None => writer.write_field("")?,
            }
        }
        writer.write_record(None::<&[u8]>)?;
    }
    writer.flush()
}

/// The cells of the fixed columns.
fn write_fixed<W: Write>(row: &Row, writer: &mut Writer<W>) -> csv::Result<()> {
    let Row { record, judgement } = row;
    writer.write_field(&record.key.task)?;
    writer.write_field(&*record.family)?;
    writer.write_field(record.alphabet.name())?;
    writer.write_field(&record.key.strategy)?;
    writer.write_field(record.key.repeat.to_string())?;
    writer.write_field(judgement.status.name())?;
    writer.write_field(judgement.expected.map_or("", |verdict| verdict.name()))?;
    match &record.usage {
        Some(usage) => {
            writer.write_field(exact_seconds(usage.wall_ns))?;
            writer.write_field(exact_seconds(usage.cpu_ns))?;
            // Rounded up: a process that had any page resident did not use 0 KiB.
            writer.write_field(usage.peak_rss_bytes.div_ceil(1024).to_string())?;
        }
        None => (0..3).try_for_each(|_| writer.write_field(""))?,
    }
    writer.write_field(judgement.witness.as_deref().unwrap_or_default())?;
    writer.write_field(&judgement.detail)
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
