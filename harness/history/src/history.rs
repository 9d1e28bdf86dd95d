//! The history: adding runs, listing them, reading one back.
//!
//! Invariants: a run is in it once, however often its directory is added; records that are in it stay there
//! unless it is asked to replace them; what is read back is what was read from the directory, or an error;
//! every change is one transaction, so that a kill leaves the file as it was before.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use harness_model::Task;
use harness_model::calibration::Pace;
use harness_model::record::Record;
use harness_model::run::RunInfo;
use harness_store::{Damage, RunReader};
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, Transaction, TransactionBehavior, params};
use sha2::{Digest, Sha256};

use crate::error::HistoryError;
use crate::parts::{Digesting, Packed, Parts, digest_of};
use crate::schema;
use crate::selector::{LEAST_PREFIX, Selector};

/// So long another process is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// A history, opened.
#[derive(Debug)]
pub struct History {
    connection: Connection,
    path: PathBuf,
}

/// What is known of a run without its records.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// Its number in this file; another one when the file is built again.
    pub number: i64,
    /// The commit that it measured, where it was told.
    pub commit: Option<String>,
    /// Its `run.json`.
    pub info: RunInfo,
    /// Records that there are.
    pub records: u64,
    /// Lines of its `records.jsonl` that could not be read.
    pub damaged: u64,
    /// What it measured of the machine.
    pub pace: Pace,
}

/// A run as it was in its directory.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// What is known of it.
    pub head: Head,
    /// In the plan's order.
    pub tasks: Vec<Task>,
    /// In the order in which they were made.
    pub records: Vec<Record>,
    /// Lines that could not be read.
    pub damaged: Vec<Damage>,
}

/// What became of an attempt to add a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Added {
    /// It was not there.
    New {
        /// Its number.
        number: i64,
    },
    /// It was there, and is as it was.
    Same {
        /// Its number.
        number: i64,
    },
    /// It was there with other records, as when it was resumed since, or under another commit.
    Replaced {
        /// Its number.
        number: i64,
        /// Records before.
        before: u64,
        /// The commit before, if that changed.
        commit: Option<String>,
    },
}

impl Added {
    /// The run's number.
    pub const fn number(&self) -> i64 {
        match self {
            Self::New { number } | Self::Same { number } | Self::Replaced { number, .. } => *number,
        }
    }
}

impl History {
    /// Opens the file `path`, which is there, and brings older tables up to date.
    ///
    /// # Errors
    ///
    /// When there is none, or it is another program's, newer than this build, damaged or locked.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, HistoryError> {
        let path = path.into();
        if !path.exists() && path.as_os_str() != ":memory:" {
            return Err(HistoryError::None { path });
        }
        Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
    }

    /// The same, but makes the file where there is none.
    ///
    /// # Errors
    ///
    /// As of [`History::open`], or when it cannot be made.
    pub fn create(path: impl Into<PathBuf>) -> Result<Self, HistoryError> {
        Self::connect(path.into(), OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)
    }

    fn connect(path: PathBuf, flags: OpenFlags) -> Result<Self, HistoryError> {
        let failed = || HistoryError::sql(&path, "open the history");
        // To SQLite these are no files: what is written there is gone afterwards.
        let name = path.as_os_str();
        if name.is_empty() || name == ":memory:" || name.as_encoded_bytes().starts_with(b"file:") {
            return Err(HistoryError::NoFile { path });
        }
        let mut connection =
            Connection::open_with_flags(&path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX).map_err(failed())?;
        connection.busy_timeout(PATIENCE).map_err(failed())?;
        connection.pragma_update(None, "foreign_keys", true).map_err(failed())?;
        schema::migrate(&mut connection, &path)?;
        Ok(Self { connection, path })
    }

    /// Lets another process that writes have so much time to end, instead of ten seconds.
    ///
    /// # Errors
    ///
    /// When the file is not usable any more.
    pub fn wait(&self, time: Duration) -> Result<(), HistoryError> {
        self.connection.busy_timeout(time).map_err(HistoryError::sql(&self.path, "use the history"))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds the run in the directory `dir`, under `commit` where that is told. A run that is there already
    /// gets the records that it has got since, and the other commit where one is told; without a commit the
    /// one that it has stays. A damaged one with these very records is mended.
    ///
    /// Lines that cannot be read are kept as such with their reason. Records are
    /// read one at a time and kept compressed, in memory as in the file.
    ///
    /// # Errors
    ///
    /// When the directory holds no run, its tasks were changed, none of its records can be read, it lacks
    /// records that the history has of this run (other than those that were made again), or may lack some
    /// since the history's cannot be read any more, or the file cannot be written. Nothing is added then.
    pub fn add(&mut self, dir: &Path, commit: Option<&str>) -> Result<Added, HistoryError> {
        self.put(dir, commit, false)
    }

    /// The same, but where the history has records of this run that the directory lacks, or that cannot be
    /// read any more, they are thrown away.
    ///
    /// # Errors
    ///
    /// As of [`History::add`] otherwise.
    pub fn replace(&mut self, dir: &Path, commit: Option<&str>) -> Result<Added, HistoryError> {
        self.put(dir, commit, true)
    }

    fn put(&mut self, dir: &Path, commit: Option<&str>, replace: bool) -> Result<Added, HistoryError> {
        let reader = RunReader::open(dir)?;
        let info = reader.info().clone();
        let digest = info.tasks_digest.as_ref();
        if digest.is_some_and(|digest| *digest != harness_store::tasks_digest(reader.tasks())) {
            return Err(HistoryError::TasksChanged { path: dir.to_owned() });
        }
        let pace = Pace::of(&reader.calibrations()?);
        let (mut parts, mut damaged, mut keys) = (Parts::default(), Vec::new(), HashSet::new());
        let packing = |error: std::io::Error| HistoryError::Damaged {
            path: self.path.clone(),
            what: format!("records cannot be packed: {error}"),
        };
        for item in reader.records()? {
            match item? {
                Ok(record) => {
                    parts.push(&self.json(&record)?).map_err(packing)?;
                    keys.insert(record.key);
                }
                Err(damage) => damaged.push(damage),
            }
        }
        let packed = parts.finish().map_err(packing)?;
        if packed.count == 0 {
            return Err(HistoryError::NoRecords { path: dir.to_owned(), damaged });
        }
        // Records that were made again on purpose; those before stay in the directory, and are not lost.
        let mut made_again = HashSet::new();
        for record in reader.superseded_records()? {
            let record = record?;
            if keys.contains(&record.key) {
                made_again.insert(mark(&self.json(&record)?));
            }
        }
        let (head, pace) = (self.json(&info)?, self.json(&pace)?);
        let run = Incoming { head, pace, info, packed, damaged, made_again };
        let mut tasks = Vec::with_capacity(reader.tasks().len());
        for task in reader.tasks() {
            tasks.push(self.json(task)?);
        }
        let failed = HistoryError::sql(&self.path, "add a run");
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let stored = transaction.and_then(|transaction| {
            let added = run.store(&transaction, &tasks, commit, replace)?;
            if added.is_ok() {
                transaction.commit()?;
            }
            Ok(added)
        });
        stored.map_err(failed)?.map_err(|kept| {
            let (path, dir) = (self.path.clone(), dir.to_owned());
            match kept {
                Kept::Lost { number, records, of } => {
                    HistoryError::Fewer { path, dir, number, lost: records, stored: of }
                }
                Kept::Unreadable { number, why } => HistoryError::DamagedRun { path, dir, number, why },
            }
        })
    }

    fn json(&self, value: &impl serde::Serialize) -> Result<String, HistoryError> {
        serde_json::to_string(value)
            .map_err(|error| HistoryError::Damaged { path: self.path.clone(), what: error.to_string() })
    }

    /// All runs in the order in which they started.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn list(&self) -> Result<Vec<Head>, HistoryError> {
        let failed = || HistoryError::sql(&self.path, "list the runs");
        let mut statement = self
            .connection
            .prepare(
                "SELECT id, revision, records, info, (SELECT count(*) FROM damage WHERE damage.run = run.id), \
                 pace FROM run ORDER BY started_unix_s, id",
            )
            .map_err(failed())?;
        let rows = statement.query_map([], raw_head).map_err(failed())?;
        rows.map(|row| self.head(row.map_err(failed())?)).collect()
    }

    /// The run that `selector` means. With `like`, the head of another run, that run itself is never meant,
    /// and the latest run is looked for among those of the same plan and machine that have all their records
    /// first, and so is a commit's, since that is what a baseline is for; where there is none, the latest of
    /// the others is given.
    ///
    /// # Errors
    ///
    /// When there is no such run, none but `like` itself, or more than one commit begins so.
    pub fn find(&self, selector: &Selector, like: Option<&RunInfo>) -> Result<Head, HistoryError> {
        let all = self.list()?;
        let missing = || HistoryError::NoSuchRun { path: self.path.clone(), selector: selector.to_string() };
        let mut meant: Vec<Head> = match selector {
            Selector::Latest => all,
            Selector::Number(number) => all.into_iter().filter(|head| head.number == *number).collect(),
            Selector::Commit(wanted) => self.of_commit(all, wanted)?,
        };
        if let Some(like) = like {
            let own = identity(like);
            let itself = meant.iter().find(|head| identity(&head.info) == own).map(|head| head.number);
            meant.retain(|head| identity(&head.info) != own);
            if let (true, Some(number)) = (meant.is_empty(), itself) {
                let (path, selector) = (self.path.clone(), selector.to_string());
                return Err(HistoryError::OnlyItself { path, selector, number });
            }
        }
        let place = |info: &RunInfo| {
            (info.machine.cpu.clone(), info.machine.cores, info.machine.kernel.clone(), info.workers)
        };
        let fits = |head: &&Head| {
            like.is_some_and(|like| {
                head.info.fingerprint == like.fingerprint
                    && place(&head.info) == place(like)
                    && head.records >= head.info.planned
            })
        };
        meant.iter().rev().find(fits).or(meant.last()).cloned().ok_or_else(missing)
    }

    /// The runs of the commit `wanted`, or of the only one that begins so.
    fn of_commit(&self, all: Vec<Head>, wanted: &str) -> Result<Vec<Head>, HistoryError> {
        let is = |head: &Head| head.commit.as_deref() == Some(wanted);
        if all.iter().any(is) {
            return Ok(all.into_iter().filter(is).collect());
        }
        let begins = |head: &Head| {
            wanted.len() >= LEAST_PREFIX
                && head.commit.as_deref().is_some_and(|commit| commit.starts_with(wanted))
        };
        let meant: Vec<Head> = all.into_iter().filter(begins).collect();
        let mut commits: Vec<String> = meant.iter().filter_map(|head| head.commit.clone()).collect();
        commits.sort_unstable();
        commits.dedup();
        if commits.len() > 1 {
            return Err(HistoryError::Ambiguous {
                path: self.path.clone(),
                selector: wanted.to_owned(),
                commits,
            });
        }
        Ok(meant)
    }

    /// The run that `selector` means with all that it holds; `like` as of [`History::find`]. Some 1 kB of
    /// memory a record.
    ///
    /// # Errors
    ///
    /// As of [`History::find`], or when what is stored is not what was added.
    pub fn run(&self, selector: &Selector, like: Option<&RunInfo>) -> Result<Run, HistoryError> {
        self.load(self.find(selector, like)?)
    }

    /// The run with the head `head`, with all that it holds.
    ///
    /// # Errors
    ///
    /// When what is stored is not what was added.
    pub fn load(&self, head: Head) -> Result<Run, HistoryError> {
        let failed = || HistoryError::sql(&self.path, "read a run");
        let texts = |sql: &str| -> Result<Vec<String>, HistoryError> {
            let mut statement = self.connection.prepare(sql).map_err(failed())?;
            let rows = statement.query_map([head.number], |row| row.get(0)).map_err(failed())?;
            rows.collect::<rusqlite::Result<_>>().map_err(failed())
        };
        let digest: String = self
            .connection
            .query_row("SELECT digest FROM run WHERE id = ?", [head.number], |row| row.get(0))
            .map_err(failed())?;
        let (mut found, mut records) = (Vec::new(), Vec::new());
        let mut lines = Digesting::default();
        let read = schema::each_part(&self.connection, head.number, |part| {
            for line in part.lines() {
                lines.add(line);
                match read_record(line) {
                    Ok(record) => records.push(record),
                    Err(why) => found.push(format!("record {}: {why}", records.len() + found.len() + 1)),
                }
            }
        });
        read.map_err(|error| match error {
            rusqlite::Error::FromSqlConversionFailure(..) => {
                self.damaged(&head, &format!("its records cannot be unpacked: {error}"))
            }
            error => HistoryError::sql(&self.path, "read a run")(error),
        })?;
        if lines.finish() != digest {
            return Err(self.damaged(&head, "its records are not those that were added"));
        }
        if let Some(first) = found.first() {
            return Err(self.damaged(&head, first));
        }
        let mut tasks: Vec<Task> = Vec::new();
        let bodies = texts(
            "SELECT task.body FROM run_task JOIN task ON task.id = run_task.task WHERE run = ? ORDER BY position",
        )?;
        for (line, text) in (1..).zip(&bodies) {
            tasks.push(
                serde_json::from_str(text)
                    .map_err(|error| self.damaged(&head, &format!("task {line}: {error}")))?,
            );
        }
        let expected = head.info.tasks_digest.as_ref();
        if expected.is_some_and(|digest| *digest != harness_store::tasks_digest(&tasks)) {
            return Err(self.damaged(&head, "its tasks are not those that were added"));
        }
        let mut statement = self
            .connection
            .prepare("SELECT line, why FROM damage WHERE run = ? ORDER BY line")
            .map_err(failed())?;
        let damaged = statement
            .query_map([head.number], |row| Ok(Damage { line: row.get(0)?, why: row.get(1)? }))
            .and_then(Iterator::collect)
            .map_err(failed())?;
        Ok(Run { head, tasks, records, damaged })
    }

    fn damaged(&self, head: &Head, what: &str) -> HistoryError {
        HistoryError::Damaged { path: self.path.clone(), what: format!("run #{}: {what}", head.number) }
    }

    fn head(&self, raw: RawHead) -> Result<Head, HistoryError> {
        let RawHead { number, commit, records, info, damaged, pace } = raw;
        let pace = serde_json::from_str(&pace).map_err(|error| HistoryError::Damaged {
            path: self.path.clone(),
            what: format!("run #{number}: what was measured of its machine: {error}"),
        })?;
        let info: RunInfo = serde_json::from_str(&info).map_err(|error| HistoryError::Damaged {
            path: self.path.clone(),
            what: format!("run #{number}: its head: {error}"),
        })?;
        info.version.check().map_err(|why| HistoryError::Damaged {
            path: self.path.clone(),
            what: format!("run #{number}: {why}"),
        })?;
        Ok(Head { number, commit, info, records, damaged, pace })
    }
}

struct RawHead {
    number: i64,
    commit: Option<String>,
    records: u64,
    info: String,
    damaged: u64,
    pace: String,
}

fn raw_head(row: &rusqlite::Row<'_>) -> rusqlite::Result<RawHead> {
    Ok(RawHead {
        number: row.get(0)?,
        commit: row.get(1)?,
        records: row.get(2)?,
        info: row.get(3)?,
        damaged: row.get(4)?,
        pace: row.get(5)?,
    })
}

/// A run on its way into the file.
struct Incoming {
    info: RunInfo,
    head: String,
    pace: String,
    packed: Packed,
    damaged: Vec<Damage>,
    /// Records of the directory that do not count any more, since others were made in their stead.
    made_again: HashSet<[u8; 16]>,
}

/// Why the run that is there, the one with the number, stays as it is.
enum Kept {
    /// So many of its records would be lost.
    Lost { number: i64, records: u64, of: u64 },
    /// Its records cannot be read, so that it is not known whether some would be.
    Unreadable { number: i64, why: String },
}

/// A run that is in the file.
struct Stored {
    number: i64,
    commit: Option<String>,
    records: u64,
    digest: String,
    info: String,
    pace: String,
    /// Those of its records that the one on its way lacks, or has otherwise.
    lost: u64,
    /// Why its records cannot be read, or are not those that were added.
    unreadable: Option<String>,
    /// Whether its tasks are those of the one on its way.
    same_tasks: bool,
}

impl Stored {
    /// Whether nothing is known to be lost with it.
    fn is_replaceable(&self) -> bool {
        self.lost == 0 && self.unreadable.is_none()
    }
}

impl Incoming {
    fn store(
        &self,
        to: &Transaction<'_>,
        tasks: &[String],
        commit: Option<&str>,
        replace: bool,
    ) -> rusqlite::Result<Result<Added, Kept>> {
        let own = identity(&self.info);
        // Under a name that older files have, which do not tell builds apart, there may be another build's
        // run.
        let older = identity_without_program(&self.info);
        let mut there = self.stored(to, &own, tasks)?;
        if there.is_none() {
            // The very records, or none that are known to be lost.
            there = self
                .stored(to, &older, tasks)?
                .filter(|stored| stored.digest == self.packed.digest || stored.is_replaceable());
        }
        // With other records and of another commit, it is another run.
        let mut name = own;
        if let (Some(stored), Some(commit), false) = (&there, commit, replace)
            && stored.lost > 0
            && stored.commit.as_deref().is_some_and(|known| known != commit)
        {
            name = digest_of([name.as_str(), commit]);
            there = self.stored(to, &name, tasks)?;
        }
        let (number, added) = match there {
            None => {
                to.execute(
                    "INSERT INTO run (identity, revision, config, plan, started_unix_s, records, digest, info, pace) \
                     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    params![
                        name,
                        commit,
                        self.info.name,
                        self.info.fingerprint,
                        self.info.started_unix_s,
                        self.packed.count,
                        self.packed.digest,
                        self.head,
                        self.pace
                    ],
                )?;
                let number = to.last_insert_rowid();
                (number, Added::New { number })
            }
            Some(stored) => {
                let number = stored.number;
                let relabelled = commit.is_some() && commit != stored.commit.as_deref();
                let same = stored.digest == self.packed.digest
                    && stored.records == self.packed.count
                    && stored.info == self.head
                    && stored.pace == self.pace
                    && stored.same_tasks;
                // Of the very records that were added, those that cannot be read any more are no loss.
                let mended = stored.digest == self.packed.digest;
                match stored.unreadable {
                    None if same && !relabelled => return Ok(Ok(Added::Same { number })),
                    Some(why) if !mended && !replace => return Ok(Err(Kept::Unreadable { number, why })),
                    None | Some(_) => {}
                }
                if stored.lost > 0 && !replace {
                    return Ok(Err(Kept::Lost { number, records: stored.lost, of: stored.records }));
                }
                to.execute(
                    "UPDATE run SET identity = ?, revision = coalesce(?, revision), records = ?, digest = ?, info = ?, \
                     pace = ? WHERE id = ?",
                    params![
                        name,
                        commit,
                        self.packed.count,
                        self.packed.digest,
                        self.head,
                        self.pace,
                        number
                    ],
                )?;
                for table in ["part", "run_task", "damage"] {
                    to.execute(&format!("DELETE FROM {table} WHERE run = ?"), [number])?;
                }
                // Tasks that only the former records had.
                to.execute("DELETE FROM task WHERE id NOT IN (SELECT task FROM run_task)", [])?;
                let commit = stored.commit.filter(|_| relabelled);
                (number, Added::Replaced { number, before: stored.records, commit })
            }
        };
        self.fill(to, number, tasks)?;
        Ok(Ok(added))
    }

    /// The run with this identity; `tasks` are those of the one on its way.
    fn stored(
        &self,
        to: &Transaction<'_>,
        identity: &str,
        tasks: &[String],
    ) -> rusqlite::Result<Option<Stored>> {
        let found = to
            .query_row(
                "SELECT id, revision, records, digest, info, pace FROM run WHERE identity = ?",
                [identity],
                |row| {
                    Ok(Stored {
                        number: row.get(0)?,
                        commit: row.get(1)?,
                        // No build of ours writes a negative one: it is damaged, and another one than it was.
                        records: u64::try_from(row.get::<_, i64>(2)?).unwrap_or(u64::MAX),
                        digest: row.get(3)?,
                        info: row.get(4)?,
                        pace: row.get(5)?,
                        lost: 0,
                        unreadable: None,
                        same_tasks: false,
                    })
                },
            )
            .optional()?;
        let Some(mut found) = found else { return Ok(None) };
        let mut here = self.made_again.clone();
        if found.digest != self.packed.digest {
            for part in &self.packed.parts {
                let lines =
                    part.lines().map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
                here.extend(lines.lines().map(mark));
            }
        }
        let mut whole = Digesting::default();
        let read = schema::each_part(to, found.number, |lines| {
            lines.lines().for_each(|line| whole.add(line));
            if found.digest == self.packed.digest {
                return;
            }
            // What cannot be read any more is no loss. An older build may have written the same record in
            // other words.
            let lost = |line: &&str| {
                !here.contains(&mark(line))
                    && read_record(line)
                        .ok()
                        .and_then(|record| serde_json::to_string(&record).ok())
                        .is_some_and(|again| !here.contains(&mark(&again)))
            };
            found.lost += lines.lines().filter(lost).count() as u64;
        });
        found.unreadable = match read {
            Ok(()) if whole.finish() == found.digest => None,
            Ok(()) => Some("they are not those that were added".to_owned()),
            Err(error @ rusqlite::Error::FromSqlConversionFailure(..)) => Some(error.to_string()),
            Err(error) => return Err(error),
        };
        let mut bodies = to.prepare(
            "SELECT task.body FROM run_task JOIN task ON task.id = run_task.task WHERE run = ? ORDER BY position",
        )?;
        let bodies: Vec<String> =
            bodies.query_map([found.number], |row| row.get(0))?.collect::<Result<_, _>>()?;
        found.same_tasks = bodies == tasks;
        Ok(Some(found))
    }

    fn fill(&self, to: &Transaction<'_>, number: i64, tasks: &[String]) -> rusqlite::Result<()> {
        // A body that is not that of its digest is damaged, and mended.
        let mut put = to.prepare(
            "INSERT INTO task (digest, body) VALUES (?, ?) \
             ON CONFLICT (digest) DO UPDATE SET body = excluded.body WHERE body <> excluded.body",
        )?;
        let mut link = to.prepare(
            "INSERT INTO run_task (run, position, task) SELECT ?, ?, id FROM task WHERE digest = ?",
        )?;
        for (position, body) in (0_i64..).zip(tasks) {
            let digest = digest_of([body.as_str()]);
            put.execute(params![digest, body])?;
            link.execute(params![number, position, digest])?;
        }
        schema::put(to, number, &self.packed.parts)?;
        let mut put = to.prepare("INSERT INTO damage (run, line, why) VALUES (?, ?, ?)")?;
        for damage in &self.damaged {
            put.execute(params![number, damage.line, damage.why])?;
        }
        Ok(())
    }
}

/// Tells a line from every other one, in little memory.
fn mark(line: &str) -> [u8; 16] {
    let digest = Sha256::digest(line);
    let mut mark = [0; 16];
    mark.copy_from_slice(&digest[..16]);
    mark
}

fn read_record(line: &str) -> Result<Record, String> {
    let record: Record = serde_json::from_str(line).map_err(|error| error.to_string())?;
    record.version.check()?;
    Ok(record)
}

/// What makes a run itself: what was planned, where, of which program, and when it began. Records come later
/// when it is resumed.
fn identity(info: &RunInfo) -> String {
    let older = identity_without_program(info);
    match info.versions.get("program") {
        Some(program) => digest_of([older.as_str(), program]),
        None => older,
    }
}

/// The identity of runs whose program is not known, and of all runs in files of older builds.
fn identity_without_program(info: &RunInfo) -> String {
    let started = info.started_unix_s.to_bits().to_string();
    let (cores, memory) = (info.machine.cores.to_string(), info.machine.memory_bytes.to_string());
    digest_of([
        info.fingerprint.as_str(),
        &started,
        &info.machine.cpu,
        &cores,
        &memory,
        &info.machine.kernel,
        &info.machine.os,
    ])
}
