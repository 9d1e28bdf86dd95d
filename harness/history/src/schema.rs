//! The tables of a history and their versions.
//!
//! `PRAGMA application_id` tells a history from other databases, `PRAGMA user_version` which version of the
//! tables it has. A version is never edited: a change is one more entry of [`MIGRATIONS`], which is applied
//! to older files when they are opened for writing or reading, all in one transaction. Newer files are
//! refused.
//!
//! - 1: `run`, `task`, `run_task`, `record`
//! - 2: `damage`, the lines of a run's records that could not be read; runs found by series without a scan
//! - 3: `part` instead of `record`: the lines compressed; `run` has what was measured of the machine

use std::cmp::Ordering;
use std::io;
use std::path::Path;

use rusqlite::types::Type;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use crate::error::HistoryError;
use crate::parts::{Part, Parts};

/// `harn` in ASCII.
const APPLICATION: i64 = 0x6861_726e;

/// What makes each version from the one before it, from an empty file on.
pub const MIGRATIONS: [&str; 3] = [
    "CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        -- Digest of plan, machine and start: the same run is added once.
        identity TEXT NOT NULL UNIQUE,
        revision TEXT,
        config TEXT NOT NULL,
        plan TEXT NOT NULL,
        started_unix_s REAL NOT NULL,
        records INTEGER NOT NULL,
        -- Of the records' text, to notice damage.
        digest TEXT NOT NULL,
        -- run.json.
        info TEXT NOT NULL
    ) STRICT;
    -- A line of tasks.jsonl, kept once however many runs have it.
    CREATE TABLE task (id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;
    CREATE TABLE run_task (
        run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
        position INTEGER NOT NULL,
        task INTEGER NOT NULL REFERENCES task,
        PRIMARY KEY (run, position)
    ) STRICT, WITHOUT ROWID;
    -- A line of records.jsonl.
    CREATE TABLE record (
        run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
        position INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (run, position)
    ) STRICT, WITHOUT ROWID;",
    "CREATE TABLE damage (
        run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
        line INTEGER NOT NULL,
        why TEXT NOT NULL,
        PRIMARY KEY (run, line)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX run_by_plan ON run (plan, started_unix_s);
    CREATE INDEX run_by_revision ON run (revision, started_unix_s);",
    // The lines of `record` are then moved, and the table is dropped.
    "CREATE TABLE part (
        id INTEGER PRIMARY KEY,
        run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
        position INTEGER NOT NULL,
        -- Of the lines of records.jsonl in it, in bytes.
        length INTEGER NOT NULL,
        -- The lines, compressed by zlib.
        body BLOB NOT NULL,
        UNIQUE (run, position)
    ) STRICT;
    -- As JSON.
    ALTER TABLE run ADD COLUMN pace TEXT NOT NULL DEFAULT '{}';",
];

/// The version from which on lines are compressed.
const COMPRESSED: usize = 3;

/// The version that this build writes, and the newest one that it reads.
pub const VERSION: i64 = MIGRATIONS.len() as i64;

/// Makes the tables of `connection`, which was opened at `path`, those of this build.
pub(crate) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), HistoryError> {
    let failed = || HistoryError::sql(path, "open the history");
    let (application, version, tables) = state(connection).map_err(failed())?;
    if application != APPLICATION && (tables > 0 || version != 0) {
        return Err(HistoryError::NotOurs { path: path.to_owned() });
    }
    match version.cmp(&VERSION) {
        Ordering::Equal => return Ok(()),
        Ordering::Greater => {
            return Err(HistoryError::Newer { path: path.to_owned(), found: version, known: VERSION });
        }
        Ordering::Less => {}
    }
    // Another process may be at it too: what is missing is found out under the lock.
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed())?;
    let (_, version, _) = state(&transaction).map_err(failed())?;
    if version > VERSION {
        return Err(HistoryError::Newer { path: path.to_owned(), found: version, known: VERSION });
    }
    let done = usize::try_from(version).map_err(|_| HistoryError::Damaged {
        path: path.to_owned(),
        what: format!("its version is {version}"),
    })?;
    for (version, statements) in (1..).zip(MIGRATIONS).skip(done) {
        transaction.execute_batch(statements).map_err(failed())?;
        if version == COMPRESSED {
            compress(&transaction).map_err(failed())?;
        }
    }
    transaction.pragma_update(None, "application_id", APPLICATION).map_err(failed())?;
    transaction.pragma_update(None, "user_version", VERSION).map_err(failed())?;
    transaction.commit().map_err(failed())?;
    if (1..COMPRESSED).contains(&done) {
        // What became free is given back; where there is no room for that, it is used by what comes next.
        let _ = connection.execute_batch("VACUUM");
    }
    Ok(())
}

/// Moves the lines of all runs into parts.
fn compress(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let runs: Vec<i64> = transaction
        .prepare("SELECT id FROM run")?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let mut bodies = transaction.prepare("SELECT body FROM record WHERE run = ? ORDER BY position")?;
    for run in runs {
        let mut parts = Parts::default();
        let mut rows = bodies.query([run])?;
        while let Some(row) = rows.next()? {
            parts.push(row.get_ref(0)?.as_str()?).map_err(unpacked)?;
        }
        put(transaction, run, &parts.finish().map_err(unpacked)?.parts)?;
    }
    drop(bodies);
    transaction.execute_batch("DROP TABLE record")
}

/// Puts the parts of a run into the file.
pub(crate) fn put(transaction: &Transaction<'_>, run: i64, parts: &[Part]) -> rusqlite::Result<()> {
    let mut put =
        transaction.prepare("INSERT INTO part (run, position, length, body) VALUES (?, ?, ?, ?)")?;
    for (position, part) in (0_i64..).zip(parts) {
        put.execute(params![run, position, part.length, part.body])?;
    }
    Ok(())
}

/// The parts of a run, one at a time: `with` is given the lines of each.
pub(crate) fn each_part(
    connection: &Connection,
    run: i64,
    mut with: impl FnMut(&str),
) -> rusqlite::Result<()> {
    let mut parts = connection.prepare("SELECT length, body FROM part WHERE run = ? ORDER BY position")?;
    let mut rows = parts.query([run])?;
    while let Some(row) = rows.next()? {
        let part = Part { length: row.get(0)?, body: row.get(1)? };
        with(&part.lines().map_err(unpacked)?);
    }
    Ok(())
}

/// As an error of the file, which is damaged there.
fn unpacked(error: io::Error) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(3, Type::Blob, Box::new(error))
}

/// Whose the file is, its version, and how many tables it has.
fn state(connection: &Connection) -> rusqlite::Result<(i64, i64, i64)> {
    let one = |sql: &str| connection.query_row(sql, [], |row| row.get(0));
    Ok((
        one("SELECT application_id FROM pragma_application_id")?,
        one("SELECT user_version FROM pragma_user_version")?,
        one("SELECT count(*) FROM sqlite_schema")?,
    ))
}
