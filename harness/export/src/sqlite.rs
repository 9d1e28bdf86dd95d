//! A database of SQLite: `run.sqlite` with the tables `run`, `strategies`, `tasks`, `records`, `phases` and
//! `counters`.
//!
//! A record has a number, `id`, which its phases and counters name. Times are whole nanoseconds, as measured.
//! Columns of numbers that may be larger than SQLite's integers have no type: with one, such a number would
//! be rounded.

use std::path::Path;

use reports::Dataset;
use rusqlite::types::Value;
use rusqlite::{Connection, Transaction, params, params_from_iter};

use crate::ExportError;
use crate::output::Output;
use crate::table::{self, Cells, Table};

const TABLES: &str = "
CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE records (
  id INTEGER PRIMARY KEY, task TEXT NOT NULL, family TEXT NOT NULL, alphabet TEXT NOT NULL, strategy TEXT NOT NULL,
  repeat INTEGER NOT NULL, status TEXT NOT NULL, expected TEXT, wall_ns, cpu_ns, peak_rss_bytes,
  witness TEXT, detail TEXT, stderr TEXT, started_unix_s REAL NOT NULL, core INTEGER, UNIQUE (task, strategy, repeat));
CREATE TABLE phases (
  record INTEGER NOT NULL REFERENCES records, name TEXT NOT NULL, cold_ns NOT NULL, samples INTEGER,
  median_ns, mad_ns, min_ns, max_ns, PRIMARY KEY (record, name)) WITHOUT ROWID;
CREATE TABLE counters (
  record INTEGER NOT NULL REFERENCES records, name TEXT NOT NULL, value NOT NULL,
  PRIMARY KEY (record, name)) WITHOUT ROWID;
";

pub(crate) fn write(dataset: &Dataset, output: &mut Output) -> Result<Vec<String>, ExportError> {
    output.file("run.sqlite", |path| {
        fill(dataset, path).map_err(|error| ExportError::Write {
            path: path.to_owned(),
            source: std::io::Error::other(error),
        })
    })?;
    Ok(Vec::new())
}

fn fill(dataset: &Dataset, path: &Path) -> rusqlite::Result<()> {
    let mut connection = Connection::open(path)?;
    // A file that is not whole is thrown away: nothing has to survive a crash.
    connection.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")?;
    connection.execute_batch(TABLES)?;
    let transaction = connection.transaction()?;
    head(dataset, &transaction)?;
    for table in [table::tasks(dataset), table::strategies(dataset)] {
        small(&table, &transaction)?;
    }
    records(dataset, &transaction)?;
    transaction.commit()
}

fn head(dataset: &Dataset, to: &Transaction<'_>) -> rusqlite::Result<()> {
    let run = &dataset.run;
    let mut rows = vec![
        ("name".to_owned(), run.name.clone()),
        ("config".to_owned(), run.config.clone()),
        ("fingerprint".to_owned(), run.fingerprint.clone()),
        ("seed".to_owned(), run.seed.to_string()),
        ("workers".to_owned(), run.workers.to_string()),
        ("repeats".to_owned(), run.repeats.to_string()),
        ("planned".to_owned(), run.planned.to_string()),
        ("wall_limit_ns".to_owned(), run.limits.wall.as_nanos().to_string()),
        ("cpu_limit_ns".to_owned(), run.limits.cpu.as_nanos().to_string()),
        ("memory_limit_bytes".to_owned(), run.limits.memory.to_string()),
        ("cpu".to_owned(), run.machine.cpu.clone()),
        ("cores".to_owned(), run.machine.cores.to_string()),
        ("memory_bytes".to_owned(), run.machine.memory_bytes.to_string()),
        ("kernel".to_owned(), run.machine.kernel.clone()),
        ("os".to_owned(), run.machine.os.clone()),
        ("started_unix_s".to_owned(), run.started_unix_s.to_string()),
    ];
    rows.extend(run.versions.iter().map(|(name, version)| (format!("version.{name}"), version.clone())));
    let mut insert = to.prepare("INSERT INTO run VALUES (?, ?)")?;
    for (key, value) in rows {
        insert.execute(params![key, value])?;
    }
    Ok(())
}

/// A table of few columns, as it is.
fn small(table: &Table, to: &Transaction<'_>) -> rusqlite::Result<()> {
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|column| {
            let kind = match column.cells {
                Cells::Text(_) => "TEXT",
                Cells::Count(_) => "",
                Cells::Seconds(_) => "REAL",
            };
            format!("{} {kind}", column.name)
        })
        .collect();
    to.execute_batch(&format!("CREATE TABLE {} ({});", table.name, columns.join(", ")))?;
    let places = vec!["?"; columns.len()].join(", ");
    let mut insert = to.prepare(&format!("INSERT INTO {} VALUES ({places})", table.name))?;
    for row in 0..table.rows() {
        let cell = |cells: &Cells| match cells {
            Cells::Text(cells) => cells[row].clone().map_or(Value::Null, Value::Text),
            Cells::Count(cells) => cells[row].map_or(Value::Null, whole),
            Cells::Seconds(cells) => cells[row].map_or(Value::Null, Value::Real),
        };
        insert.execute(params_from_iter(table.columns.iter().map(|column| cell(&column.cells))))?;
    }
    Ok(())
}

/// A number; as text where an integer of SQLite does not hold it.
fn whole(value: u64) -> Value {
    i64::try_from(value).map_or_else(|_| Value::Text(value.to_string()), Value::Integer)
}

fn records(dataset: &Dataset, to: &Transaction<'_>) -> rusqlite::Result<()> {
    let mut record = to.prepare(&format!("INSERT INTO records VALUES ({})", vec!["?"; 16].join(", ")))?;
    let mut phase = to.prepare("INSERT INTO phases VALUES (?, ?, ?, ?, ?, ?, ?, ?)")?;
    let mut counter = to.prepare("INSERT INTO counters VALUES (?, ?, ?)")?;
    for (id, row) in (1_i64..).zip(dataset.rows()) {
        let (of, judgement) = (&row.record, &row.judgement);
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        record.execute(params![
            id,
            of.key.task,
            of.family.as_str(),
            of.alphabet.name(),
            of.key.strategy,
            of.key.repeat,
            judgement.status.name(),
            judgement.expected.map(|verdict| verdict.name()),
            of.usage.map(|usage| whole(usage.wall_ns)),
            of.usage.map(|usage| whole(usage.cpu_ns)),
            of.usage.map(|usage| whole(usage.peak_rss_bytes)),
            judgement.witness,
            some(&judgement.detail),
            some(&of.stderr),
            of.started_unix_s,
            of.core,
        ])?;
        for (name, time) in &of.phases {
            let warm = time.warm;
            phase.execute(params![
                id,
                name.as_str(),
                whole(time.cold_ns),
                warm.map(|warm| warm.samples),
                warm.map(|warm| whole(warm.median_ns)),
                warm.map(|warm| whole(warm.mad_ns)),
                warm.map(|warm| whole(warm.min_ns)),
                warm.map(|warm| whole(warm.max_ns)),
            ])?;
        }
        for (name, value) in &of.counters {
            counter.execute(params![id, name.as_str(), whole(*value)])?;
        }
    }
    Ok(())
}
