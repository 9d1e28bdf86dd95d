//! What was submitted: `submit.json`, and where everything else is in its directory.
//!
//! The file is written before jobs are submitted and again when their numbers are known, each time as a
//! whole: a reader finds the old one or the new one.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use harness_model::run::RunInfo;
use serde::{Deserialize, Serialize};

use crate::args::submit::EngineName;

/// Version of the format of `submit.json`.
const FORMAT: u32 = 1;

/// What a study was submitted as.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Submission {
    /// Of the file.
    format: u32,
    /// What runs the shards.
    pub engine: Engine,
    /// Path of the configuration, or the name of a built-in one.
    pub config: String,
    /// The program that the jobs run.
    pub program: String,
    /// The other options of the command line, so that it can be told again.
    pub options: Vec<String>,
    /// How many records each shard has, the first one first.
    pub planned: Vec<u64>,
    /// What was submitted, in order; none by an engine that has no queue.
    pub jobs: Vec<Submitted>,
    /// The head that a run of the whole study would have had on the machine that it was submitted from.
    pub plan: RunInfo,
}

/// What runs shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// Job arrays.
    Slurm,
    /// One after the other, on the machine at hand.
    Local,
}

impl From<EngineName> for Engine {
    fn from(name: EngineName) -> Self {
        match name {
            EngineName::Slurm => Self::Slurm,
            EngineName::Local => Self::Local,
        }
    }
}

/// A job array with the job that merges after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Submitted {
    /// Its number, by which the engine knows it.
    pub id: String,
    /// The shards in it, such as `1,3-5`.
    pub shards: String,
    /// The number of the job that merges; absent where it could not be submitted.
    pub merge: Option<String>,
    /// When, in seconds since 1970.
    pub submitted_unix_s: f64,
}

impl Submission {
    /// One without jobs yet, of a study with this plan.
    pub fn new(engine: Engine, config: String, program: String, plan: RunInfo) -> Self {
        let (options, planned, jobs) = (Vec::new(), Vec::new(), Vec::new());
        Self { format: FORMAT, engine, config, program, options, planned, jobs, plan }
    }

    /// The command that goes on with it, as a shell reads it.
    pub fn command(&self, place: &Place) -> String {
        let engine = match self.engine {
            Engine::Slurm => "slurm",
            Engine::Local => "local",
        };
        let dir = place.dir().to_string_lossy();
        let mut words = vec![&*self.program, "submit", "--engine", engine, &self.config, "--out", &dir];
        words.extend(self.options.iter().map(String::as_str));
        let word = |word: &&str| shlex::try_quote(word).map_or_else(|_| (*word).to_owned(), Into::into);
        words.iter().map(word).collect::<Vec<String>>().join(" ")
    }

    /// How many shards there are.
    pub fn shards(&self) -> u32 {
        u32::try_from(self.planned.len()).unwrap_or(u32::MAX)
    }

    /// How many records the whole study has.
    pub fn records(&self) -> u64 {
        self.planned.iter().sum()
    }

    /// The one in a directory, or `None` where there is none.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is of a newer build.
    pub fn read(place: &Place) -> anyhow::Result<Option<Self>> {
        let path = place.head();
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("{}: cannot read", path.display())),
        };
        let way_out = "restore it, or submit again with another --out";
        let value: serde_json::Value = serde_json::from_slice(&text)
            .with_context(|| format!("{}: is damaged; {way_out}", path.display()))?;
        if value.get("format").and_then(serde_json::Value::as_u64).is_some_and(|f| f > u64::from(FORMAT)) {
            bail!("{}: was written by a newer build: update harness", path.display());
        }
        let read: Self = serde_json::from_value(value)
            .with_context(|| format!("{}: is damaged; {way_out}", path.display()))?;
        Ok(Some(read))
    }

    /// Writes it, in one step.
    ///
    /// # Errors
    ///
    /// When that cannot be done; then an earlier one is still there.
    pub fn write(&self, place: &Place) -> anyhow::Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        place.write(&place.head(), &text)
    }
}

/// Where things are in the directory of a submission.
#[derive(Clone, Debug)]
pub struct Place {
    dir: PathBuf,
}

impl Place {
    /// In this directory.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into() }
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What was submitted.
    pub fn head(&self) -> PathBuf {
        self.dir.join("submit.json")
    }

    /// The script that makes a shard.
    pub fn job(&self) -> PathBuf {
        self.dir.join("job.sh")
    }

    /// The script that merges.
    pub fn merge(&self) -> PathBuf {
        self.dir.join("merge.sh")
    }

    /// The run of a shard, from 1.
    pub fn shard(&self, number: u32) -> PathBuf {
        self.dir.join("shards").join(number.to_string())
    }

    /// The shards together.
    pub fn merged(&self) -> PathBuf {
        self.dir.join("merged")
    }

    /// What the job of a shard, by its number, or `merge` wrote of its beginning and its end.
    pub fn state(&self, of: &str) -> PathBuf {
        self.dir.join("state").join(of)
    }

    /// What jobs print.
    pub fn log(&self) -> PathBuf {
        self.dir.join("log")
    }

    /// Makes the directory and those in it, unless it holds something else, and keeps other submissions out for
    /// as long as what it gives lives: what one of these has begun is nothing else.
    ///
    /// # Errors
    ///
    /// When it does, cannot be made, or another submission is at work.
    pub fn prepare(&self) -> anyhow::Result<File> {
        let failed = |dir: &Path| format!("{}: cannot make the directory", dir.display());
        let something_else = || {
            let mut entries = fs::read_dir(&self.dir).ok()?;
            // A lock is left by one that failed before it had written anything.
            entries.find_map(|entry| entry.ok().filter(|entry| entry.file_name() != LOCK))
        };
        // Nothing is left in a directory of somebody else.
        let is_new = !self.dir.join(LOCK).exists();
        if is_new
            && let Some(entry) = something_else()
            && !self.head().exists()
        {
            return Err(self.taken(&entry));
        }
        fs::create_dir_all(&self.dir).with_context(|| failed(&self.dir))?;
        let lock = self.lock()?;
        if !is_new
            && !self.head().exists()
            && let Some(entry) = something_else()
        {
            return Err(self.taken(&entry));
        }
        for dir in [self.dir.join("shards"), self.dir.join("state"), self.log()] {
            fs::create_dir_all(&dir).with_context(|| failed(&dir))?;
        }
        Ok(lock)
    }

    fn taken(&self, entry: &fs::DirEntry) -> anyhow::Error {
        anyhow::anyhow!(
            "{}: has something else in it ({}): choose another --out, or an empty directory",
            self.dir.display(),
            entry.file_name().to_string_lossy()
        )
    }

    /// Keeps other submissions out for as long as what it gives lives.
    ///
    /// # Errors
    ///
    /// When one is at work.
    fn lock(&self) -> anyhow::Result<File> {
        let path = self.dir.join(LOCK);
        let file = File::create(&path).with_context(|| format!("{}: cannot write", path.display()))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(fs::TryLockError::WouldBlock) => {
                bail!("{}: another 'harness submit' is at work here: wait until it ends", self.dir.display())
            }
            // A file system without locks.
            Err(fs::TryLockError::Error(_)) => Ok(file),
        }
    }

    /// Writes a file in one step, by way of a temporary one.
    ///
    /// # Errors
    ///
    /// When that cannot be done.
    pub fn write(&self, path: &Path, text: &str) -> anyhow::Result<()> {
        let temporary = path.with_extension("tmp");
        let written = File::create(&temporary).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&temporary, path)
        });
        written.with_context(|| format!("{}: cannot write", path.display()))
    }
}

/// The file that holds the lock.
const LOCK: &str = ".submit.lock";
