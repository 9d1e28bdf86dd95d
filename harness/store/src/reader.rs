//! The read side of a run's directory. Takes no lock: a run that is still going can be read.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use harness_model::Task;
use harness_model::calibration::Calibration;
use harness_model::record::{Record, RecordVersion, RunKey};
use harness_model::run::RunInfo;
use serde::Deserialize;

use crate::error::StoreError;
use crate::keys::Keys;
use crate::lines::{Damage, Lines, explain, without_place};
use crate::newer;
use crate::superseded::{self, Superseded};
use crate::{CALIBRATION_FILE, RECORDS_FILE, RUN_FILE, SUPERSEDED_FILE, TASKS_FILE};

/// Bytes taken from a file at a time.
const CHUNK: usize = 256 << 10;

/// A run's directory, opened for reading.
#[derive(Clone, Debug)]
pub struct RunReader {
    path: PathBuf,
    info: RunInfo,
    tasks: Arc<Vec<Task>>,
}

/// All records of a run.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Loaded {
    /// In the order in which they were made; of several with one key, the first.
    pub records: Vec<Record>,
    /// Lines that could not be used, and why; repeated keys among them.
    pub damaged: Vec<Damage>,
}

impl RunReader {
    /// Reads `run.json` and `tasks.jsonl` of the directory `path`.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let path = path.into();
        let Some(info) = read_info(&path)? else { return Err(StoreError::NoRun { path }) };
        let tasks = read_tasks(&path)?;
        Ok(Self { path, info, tasks: Arc::new(tasks) })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The head of the run.
    pub fn info(&self) -> &RunInfo {
        &self.info
    }

    /// The tasks, in the plan's order.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// The directory, the head and the tasks, for whoever keeps them.
    pub fn into_parts(self) -> (PathBuf, RunInfo, Vec<Task>) {
        (self.path, self.info, Arc::unwrap_or_clone(self.tasks))
    }

    /// Takes the tasks of another run in place of its own where they are the same by their digests, what is
    /// expected apart: the parts of a run on many machines each have all of its tasks.
    pub fn share_tasks(&mut self, other: &Self) {
        if self.info.tasks_digest.is_some() && self.info.tasks_digest == other.info.tasks_digest {
            self.tasks = Arc::clone(&other.tasks);
        }
    }

    /// The records as a stream: one line in memory at a time. None when the run has not begun.
    pub fn records(&self) -> Result<Records, StoreError> {
        Records::open(&self.path.join(RECORDS_FILE))
    }

    /// The records that were made again, those before, as a stream. A line that is marked and cannot be read
    /// is none of them.
    pub fn superseded_records(&self) -> Result<SupersededRecords, StoreError> {
        Records::open(&self.path.join(RECORDS_FILE)).map(SupersededRecords)
    }

    /// What was measured of the machine; none by older builds. Lines that cannot be read are passed over:
    /// they are no records.
    pub fn calibrations(&self) -> Result<Vec<Calibration>, StoreError> {
        let path = self.path.join(CALIBRATION_FILE);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(StoreError::io(&path, "open")(error)),
        };
        let mut lines = Lines::<_, Calibration>::new(BufReader::new(file));
        let mut measured = Vec::new();
        while let Some((_, line)) = lines.next_line().map_err(StoreError::io(&path, "read"))? {
            measured.extend(line.ok());
        }
        Ok(measured)
    }

    /// The marks of records that were made again.
    pub fn superseded(&self) -> Result<Vec<Superseded>, StoreError> {
        superseded::read(&self.path.join(SUPERSEDED_FILE))
    }

    /// All records at once, some 1 kB of memory each, about 2 s for half a million.
    pub fn load(&self) -> Result<Loaded, StoreError> {
        let mut loaded = Loaded::default();
        for item in self.records()? {
            match item? {
                Ok(record) => loaded.records.push(record),
                Err(damage) => loaded.damaged.push(damage),
            }
        }
        Ok(loaded)
    }
}

/// A line of the log with its number: what it holds, and whether it is marked as made again.
pub(crate) type Line = (u64, Result<Record, String>, bool);

/// A stream of records, without those that were made again, and without those whose key came before.
#[derive(Debug)]
pub struct Records {
    path: PathBuf,
    lines: Option<Lines<BufReader<File>, Record>>,
    seen: Keys,
    /// The records that do not count any more, by line.
    superseded: HashMap<u64, RunKey>,
    line: u64,
}

impl Records {
    /// Opens the log `path`; one that does not exist has no records.
    pub(crate) fn open(path: &Path) -> Result<Self, StoreError> {
        let lines = match File::open(path) {
            Ok(file) => Some(Lines::with_reader(BufReader::with_capacity(CHUNK, file), read_record)),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(StoreError::io(path, "open")(error)),
        };
        let superseded = superseded::by_line(superseded::read(&path.with_file_name(SUPERSEDED_FILE))?);
        Ok(Self { path: path.to_owned(), lines, seen: Keys::default(), superseded, line: 0 })
    }

    /// The line of what was given last, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The keys met so far; where the last whole line ends; how many bytes there are.
    pub(crate) fn into_parts(self) -> (HashSet<RunKey>, u64, u64) {
        let (whole, length) = self.lines.map_or((0, 0), |lines| (lines.whole(), lines.offset()));
        (self.seen.into_set(), whole, length)
    }
}

impl Records {
    /// The next line, whether its record counts or not, and whether it is marked.
    pub(crate) fn next_line(&mut self) -> Option<Result<Line, StoreError>> {
        match self.lines.as_mut()?.next_line() {
            Ok(None) => None,
            Ok(Some((line, held))) => {
                let of = held.as_ref().ok().map(|record| &record.key);
                let marked = of.is_some() && self.superseded.get(&line) == of;
                Some(Ok((line, held, marked)))
            }
            Err(error) => {
                self.lines = None;
                Some(Err(StoreError::io(&self.path, "read")(error)))
            }
        }
    }
}

/// The records that do not count any more since they were made again.
#[derive(Debug)]
pub struct SupersededRecords(Records);

impl Iterator for SupersededRecords {
    type Item = Result<Record, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.0.next_line()? {
                Ok((_, Ok(record), true)) => return Some(Ok(record)),
                Ok(_) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Iterator for Records {
    type Item = Result<Result<Record, Damage>, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (line, held) = loop {
            match self.next_line()? {
                Ok((_, _, true)) => {}
                Ok((line, held, false)) => break (line, held),
                Err(error) => return Some(Err(error)),
            }
        };
        self.line = line;
        Some(Ok(held.map_err(|why| Damage { line, why }).and_then(|record| {
            if self.seen.insert(&record.key) {
                Ok(record)
            } else {
                Err(Damage { line, why: format!("a second record of {}; the first one stands", record.key) })
            }
        })))
    }
}

/// Only the version, for lines that cannot be read otherwise.
#[derive(Deserialize)]
struct Versioned {
    version: RecordVersion,
}

/// A record of a version that this build reads.
fn read_record(bytes: &[u8]) -> Result<Record, String> {
    match serde_json::from_slice::<Record>(bytes) {
        Ok(record) => record.version.check().map(|()| record),
        Err(error) => {
            let version = serde_json::from_slice::<Versioned>(bytes).map(|v| v.version);
            match version.map(|version| (version, version.check())) {
                // A record of another major version need not look like ours; then its version is the reason.
                Ok((_, Err(why))) => Err(why),
                Ok((version, Ok(()))) if version > RecordVersion::CURRENT => {
                    newer::read(bytes, version).ok_or_else(|| explain(&error))
                }
                Ok((_, Ok(()))) | Err(_) => Err(explain(&error)),
            }
        }
    }
}

/// The head of the run in `dir`, or `None` when there is none.
pub(crate) fn read_info(dir: &Path) -> Result<Option<RunInfo>, StoreError> {
    let path = dir.join(RUN_FILE);
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(StoreError::io(&path, "read")(error)),
    };
    if let Ok(Err(why)) = serde_json::from_slice::<Versioned>(&text).map(|v| v.version.check()) {
        return Err(StoreError::Version { path, why });
    }
    serde_json::from_slice(&text).map(Some).map_err(|error| StoreError::Malformed {
        path,
        line: error.line(),
        column: error.column(),
        why: without_place(&error),
        way_out: "The file was changed after the run was made: restore it, or run again into another --out",
    })
}

/// The tasks of the run in `dir`.
fn read_tasks(dir: &Path) -> Result<Vec<Task>, StoreError> {
    let path = dir.join(TASKS_FILE);
    let file = File::open(&path).map_err(StoreError::io(&path, "open"))?;
    let mut lines = Lines::<_, Task>::new(BufReader::with_capacity(CHUNK, file));
    let mut tasks = Vec::new();
    while let Some((line, held)) = lines.next_line().map_err(StoreError::io(&path, "read"))? {
        tasks.push(held.map_err(|why| StoreError::Malformed {
            path: path.clone(),
            line: usize::try_from(line).unwrap_or(usize::MAX),
            column: 1,
            why,
            way_out: "The same `harness compare` command writes the tasks again",
        })?);
    }
    Ok(tasks)
}
