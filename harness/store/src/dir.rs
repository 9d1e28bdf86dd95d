//! The write side of a run's directory: made anew, or resumed where an earlier run of the same plan stopped.
//!
//! The order in which files appear makes every moment a good one to be killed: lock, `tasks.jsonl`,
//! `run.json`, `records.jsonl`. A directory with a `run.json` has its tasks, and one with records has both.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{BufReader, ErrorKind};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use harness_model::Task;
use harness_model::calibration::Calibration;
use harness_model::record::{Record, RunKey};
use harness_model::run::RunInfo;

use crate::error::StoreError;
use crate::files::{TEMPORARY, replace, sync_dir};
use crate::lines::{Damage, Lines};
use crate::lock::Lock;
use crate::log::Log;
use crate::reader::{Records, read_info};
use crate::shard::Shard;
use crate::superseded::{self, Superseded};
use crate::{CALIBRATION_FILE, LOCK_FILE, RECORDS_FILE, RUN_FILE, SUPERSEDED_FILE, TASKS_FILE, plan};

/// Something that was found, and mended or passed over, when a directory was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The last line was not finished: an earlier run was killed there. It was cut off; its record is made
    /// again.
    TornTail {
        /// How many bytes were cut off.
        bytes: u64,
    },
    /// A line cannot be used. Unless it repeats a key, its record is made again.
    Damaged(Damage),
    /// The number of workers is another one than before.
    OtherWorkers {
        /// Of the first part of the run.
        before: u32,
        /// From now on.
        now: u32,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TornTail { bytes } => write!(
                f,
                "{RECORDS_FILE}: the last line was not finished ({bytes} bytes) and was cut off; its record is made again"
            ),
            Self::Damaged(damage) => write!(f, "{RECORDS_FILE}: {damage}"),
            Self::OtherWorkers { before, now } => {
                write!(f, "the first part of this run had {before} workers at a time, the rest has {now}")
            }
        }
    }
}

/// A run's directory, locked for writing.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    records: PathBuf,
    info: RunInfo,
    resumed: bool,
    done: HashSet<RunKey>,
    notices: Vec<Notice>,
    log: Log<File>,
    /// What was measured of the machine; opened with the first of it.
    calibration: Option<Log<File>>,
    /// Which file the log is: device and inode.
    identity: (u64, u64),
    _lock: Lock,
}

impl RunDir {
    /// Makes the directory `path` for a run, or opens it again when it holds a run of the same plan, made on
    /// the same machine with the same versions. Then `tasks.jsonl` and those parts of `run.json` that decide
    /// no run (what is expected, the layout of reports, the config's text) are brought up to date, and the
    /// start stays the first one. Reads all records, about 2 s for half a million.
    pub fn create_or_resume(
        path: impl Into<PathBuf>,
        info: &RunInfo,
        tasks: &[Task],
    ) -> Result<Self, StoreError> {
        Self::create_or_go_on(path, info, tasks, false)
    }

    /// The same; with `other_build`, a run is also taken up again by another build of the program. `run.json`
    /// then names both.
    pub fn create_or_go_on(
        path: impl Into<PathBuf>,
        info: &RunInfo,
        tasks: &[Task],
        other_build: bool,
    ) -> Result<Self, StoreError> {
        Self::open(path.into(), info, tasks, other_build, false)
    }

    /// The same, but the plan may also be that of the run with more strategies or repeats in it: then the
    /// records that are there are those of the new plan, and `run.json` becomes its head.
    pub fn create_or_extend(
        path: impl Into<PathBuf>,
        info: &RunInfo,
        tasks: &[Task],
        other_build: bool,
    ) -> Result<Self, StoreError> {
        Self::open(path.into(), info, tasks, other_build, true)
    }

    fn open(
        path: PathBuf,
        info: &RunInfo,
        tasks: &[Task],
        other_build: bool,
        extend: bool,
    ) -> Result<Self, StoreError> {
        // Looked at before anything is written: a wrong --out must not be touched.
        if path.exists() && read_info(&path)?.is_none() {
            refuse_foreign(&path)?;
        }
        fs::create_dir_all(&path).map_err(StoreError::io(&path, "make the directory"))?;
        let lock = Lock::take(&path, LOCK_FILE)?;
        let mut info = info.clone();
        let mut notices = Vec::new();
        // Looked at again: another run may have been here before the lock was ours.
        let before = read_info(&path)?;
        if let Some(before) = &before {
            check_same(&path, before, &info, other_build, extend)?;
            for name in BUILD {
                if let Some(all) = builds(before, &info, name) {
                    info.versions.insert(name.to_owned(), all);
                }
            }
            if before.workers != info.workers {
                notices.push(Notice::OtherWorkers { before: before.workers, now: info.workers });
            }
            info.started_unix_s = before.started_unix_s;
        } else {
            refuse_foreign(&path)?;
        }
        replace(&path, TASKS_FILE, |out| {
            for task in tasks {
                serde_json::to_writer(&mut *out, task)?;
                out.write_all(b"\n")?;
            }
            Ok(())
        })?;
        replace(&path, RUN_FILE, |out| {
            serde_json::to_writer_pretty(&mut *out, &info)?;
            out.write_all(b"\n")
        })?;
        let records = path.join(RECORDS_FILE);
        let (done, log, identity) = open_log(&records, &mut notices)?;
        sync_dir(&path)?;
        Ok(Self {
            path,
            records,
            info,
            resumed: before.is_some(),
            done,
            notices,
            log,
            calibration: None,
            identity,
            _lock: lock,
        })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The head of the run, as it is in `run.json`.
    pub fn info(&self) -> &RunInfo {
        &self.info
    }

    /// Whether an earlier run began it.
    pub fn resumed(&self) -> bool {
        self.resumed
    }

    /// What has a record already.
    pub fn done(&self) -> &HashSet<RunKey> {
        &self.done
    }

    /// What was found when the directory was opened; to be told to the user.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Appends a record. It survives a kill of this process once this returns, and a power cut a second
    /// later. When it fails, the records before it stay readable, unless the directory was taken away, which
    /// is noticed once a second.
    pub fn append(&mut self, record: &Record) -> Result<(), StoreError> {
        if self.done.contains(&record.key) {
            return Err(StoreError::Duplicate { path: self.records.clone(), key: record.key.clone() });
        }
        self.log.append(record).map_err(|source| StoreError::Append {
            path: self.records.clone(),
            key: record.key.clone(),
            kept: self.done.len() as u64,
            source,
        })?;
        self.done.insert(record.key.clone());
        let due = self.log.sync_if_due().map_err(StoreError::io(&self.records, "sync"))?;
        if due { self.check_in_place() } else { Ok(()) }
    }

    /// Appends what was measured of the machine.
    pub fn append_calibration(&mut self, measured: &Calibration) -> Result<(), StoreError> {
        let path = self.path.join(CALIBRATION_FILE);
        let log = match &mut self.calibration {
            Some(log) => log,
            None => self.calibration.insert(open_calibration(&path)?),
        };
        log.append(measured).map_err(StoreError::io(&path, "write"))
    }

    /// Marks records as made again: they stay where they are and do not count any more, and each may be
    /// appended once more. `marks` name the line that counts of each key; where that is another one by now,
    /// since another process was here before the lock was ours, the key is passed over. Further lines of a
    /// key are marked too: the next of them would count else. Gives the keys that were marked.
    pub fn supersede(&mut self, marks: &[Superseded]) -> Result<HashSet<RunKey>, StoreError> {
        let wanted: HashMap<&RunKey, &Superseded> = marks.iter().map(|mark| (&mark.key, mark)).collect();
        let mut lines: HashMap<&RunKey, Vec<u64>> = HashMap::new();
        let mut records = Records::open(&self.records)?;
        while let Some(item) = records.next_line() {
            let (line, held, marked) = item?;
            if let (Ok(record), false) = (held, marked)
                && let Some((&key, _)) = wanted.get_key_value(&record.key)
            {
                lines.entry(key).or_default().push(line);
            }
        }
        let mut all = Vec::new();
        for (key, mark) in wanted {
            let lines = lines.remove(key).unwrap_or_default();
            if lines.first() == Some(&mark.line) {
                all.extend(lines.into_iter().map(|line| Superseded { line, ..mark.clone() }));
            }
        }
        all.sort_by_key(|mark| mark.line);
        superseded::append(&self.path.join(SUPERSEDED_FILE), &all)?;
        let keys: HashSet<RunKey> = all.into_iter().map(|mark| mark.key).collect();
        self.done.retain(|key| !keys.contains(key));
        Ok(keys)
    }

    /// Makes all records durable and gives the directory free. Dropping does the same but tells of no error.
    pub fn finish(mut self) -> Result<(), StoreError> {
        self.log.sync().map_err(StoreError::io(&self.records, "sync"))?;
        self.check_in_place()
    }

    /// Whether the log that is written to is still the one that a reader would find.
    fn check_in_place(&self) -> Result<(), StoreError> {
        match fs::metadata(&self.records) {
            Ok(found) if identity(&found) == self.identity => Ok(()),
            Err(source) if !matches!(source.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                Err(StoreError::io(&self.records, "look after the file")(source))
            }
            Ok(_) | Err(_) => Err(StoreError::TakenAway { path: self.records.clone() }),
        }
    }
}

/// Two files that exist at the same time differ in it; one that is open exists.
fn identity(file: &Metadata) -> (u64, u64) {
    (file.dev(), file.ino())
}

impl Drop for RunDir {
    fn drop(&mut self) {
        let _ = self.log.sync();
    }
}

/// A log that is open: the keys in it, the log, and which file it is.
type OpenLog = (HashSet<RunKey>, Log<File>, (u64, u64));

/// Opens the log for appending and cuts off an unfinished last line.
fn open_log(path: &Path, notices: &mut Vec<Notice>) -> Result<OpenLog, StoreError> {
    let mut records = Records::open(path)?;
    let mut damaged = Vec::new();
    for item in &mut records {
        damaged.extend(item?.err());
    }
    let (done, whole, length) = records.into_parts();
    let file =
        OpenOptions::new().create(true).append(true).open(path).map_err(StoreError::io(path, "open"))?;
    if whole < length {
        file.set_len(whole).map_err(StoreError::io(path, "cut the unfinished last line off"))?;
        // The unfinished line is always the last one reported.
        damaged.pop();
        notices.push(Notice::TornTail { bytes: length - whole });
    }
    notices.extend(damaged.into_iter().map(Notice::Damaged));
    let identity = identity(&file.metadata().map_err(StoreError::io(path, "look at the file"))?);
    Ok((done, Log::new(file, whole), identity))
}

/// Opens the measurements of the machine for appending; a last line that was not finished is cut off.
fn open_calibration(path: &Path) -> Result<Log<File>, StoreError> {
    let mut lines = match File::open(path) {
        Ok(file) => Some(Lines::<_, Calibration>::new(BufReader::new(file))),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(StoreError::io(path, "open")(error)),
    };
    let mut whole = 0;
    if let Some(lines) = &mut lines {
        while lines.next_line().map_err(StoreError::io(path, "read"))?.is_some() {}
        whole = lines.whole();
    }
    let file =
        OpenOptions::new().create(true).append(true).open(path).map_err(StoreError::io(path, "open"))?;
    file.set_len(whole).map_err(StoreError::io(path, "cut the unfinished last line off"))?;
    Ok(Log::new(file, whole))
}

/// Refuses a directory that has anything in it which a run does not leave before its `run.json`.
fn refuse_foreign(path: &Path) -> Result<(), StoreError> {
    let entries = fs::read_dir(path).map_err(StoreError::io(path, "read the directory"))?;
    for entry in entries {
        let name = entry.map_err(StoreError::io(path, "read the directory"))?.file_name();
        let name = name.to_string_lossy();
        let ours = [LOCK_FILE, TASKS_FILE].contains(&&*name)
            || name.strip_suffix(TEMPORARY).is_some_and(|n| [TASKS_FILE, RUN_FILE].contains(&n));
        if !ours {
            return Err(StoreError::NotOurs { path: path.to_owned(), found: name.into_owned() });
        }
    }
    Ok(())
}

/// The versions that tell builds of one version of the program apart.
pub const BUILD: [&str; 2] = ["commit", "program"];

/// Stands between the builds that made a run.
pub const THEN: &str = ", then ";

/// The builds of a run that `before` names, with that of `now` if it is another one than the last of them.
fn builds(before: &RunInfo, now: &RunInfo, name: &str) -> Option<String> {
    let (before, now) = (before.versions.get(name), now.versions.get(name));
    let Some(before) = before else { return now.cloned() };
    match now {
        Some(now) if before.rsplit(THEN).next() != Some(now) => Some(format!("{before}{THEN}{now}")),
        _ => Some(before.clone()),
    }
}

/// Refuses to go on with a run of another plan, machine or version.
fn check_same(
    path: &Path,
    before: &RunInfo,
    now: &RunInfo,
    other_build: bool,
    extend: bool,
) -> Result<(), StoreError> {
    let extends = plan::extends(before, now);
    let other = before.fingerprint != now.fingerprint || Shard::of(before) != Shard::of(now);
    if other && !(extend && extends) {
        let differ = plan::plan_differences(before, now);
        return Err(StoreError::OtherPlan {
            path: path.to_owned(),
            theirs: before.name.clone(),
            ours: now.name.clone(),
            planned: before.planned,
            differs: if differ.is_empty() {
                "its tasks, strategies, repeats, limits, sampling or seed differ".to_owned()
            } else {
                differ.join("; ")
            },
            way_out: match (extends, extend) {
                (true, _) => {
                    "'harness compare --extend' adds what is new to it; or choose another --out, or delete the directory"
                }
                (false, true) => {
                    "'harness compare --extend' adds strategies and repeats, and everything else has to be the same: choose another --out, or delete the \
                     directory"
                }
                (false, false) => "Choose another --out, or delete the directory",
            },
        });
    }
    let differs: Vec<String> = condition_differences(before, now)
        .into_iter()
        .filter(|difference| !(other_build && difference.what == Differs::Program))
        .map(|difference| difference.text)
        .collect();
    if differs.is_empty() {
        return Ok(());
    }
    Err(StoreError::OtherConditions { path: path.to_owned(), differs: differs.join("; ") })
}

/// What kind of condition differs between two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Differs {
    /// Processor or number of cores.
    Machine,
    /// The kernel.
    Kernel,
    /// Commit or digest of the program.
    Program,
    /// The version of a solver, a library, the compiler.
    Version,
}

/// A condition that differs between two runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Of which kind.
    pub what: Differs,
    /// In words, with both values.
    pub text: String,
}

/// In which conditions, under which records are made, two runs differ.
pub fn condition_differences(before: &RunInfo, now: &RunInfo) -> Vec<Difference> {
    let mut differs = Vec::new();
    let mut compare = |what: Differs, name: &str, before: &str, now: &str| {
        if before != now {
            differs.push(Difference { what, text: format!("{name}: '{before}' then, '{now}' now") });
        }
    };
    compare(Differs::Machine, "processor", &before.machine.cpu, &now.machine.cpu);
    compare(Differs::Machine, "cores", &before.machine.cores.to_string(), &now.machine.cores.to_string());
    compare(Differs::Kernel, "kernel", &before.machine.kernel, &now.machine.kernel);
    for name in
        before.versions.keys().chain(now.versions.keys().filter(|n| !before.versions.contains_key(*n)))
    {
        let version = |info: &RunInfo| info.versions.get(name).cloned().unwrap_or_else(|| "none".to_owned());
        let (mut then, today) = (version(before), version(now));
        let mut what = Differs::Version;
        if BUILD.contains(&name.as_str()) {
            // Of several builds, the last one is at work.
            then = then.rsplit(THEN).next().unwrap_or_default().to_owned();
            what = Differs::Program;
        }
        compare(what, name, &then, &today);
    }
    for row in &before.strategies {
        if let Some(same) = now.strategies.iter().find(|s| s.name == row.name) {
            compare(Differs::Version, &row.name, &row.version, &same.version);
        }
    }
    differs
}
