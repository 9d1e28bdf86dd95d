//! One run of one strategy on one task, with its measurements: a line of `records.jsonl`.
//!
//! A record says what happened, never whether it was right: judgements are made when records are read, so
//! that they get better when the corpus does. Raw values, unrounded, unit in the name; what was not measured
//! is absent.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::alphabet::Alphabet;
use crate::name::Name;
use crate::named::Named;
use crate::verdict::Answer;

/// Version of the format of a run's files. `major` changes when old readers would misread: a key removed, a
/// meaning changed. `minor` changes when a key is added, or an alternative of [`Termination`], of a verdict
/// or of a witness: readers ignore keys that they do not know, unlike those of a config, and show such an
/// alternative as unknown.
///
/// History:
///
/// - 1.0: first format
/// - 1.1: an answer has `counters`
/// - 1.2: in `run.json` a strategy has `family`, `options` and `canonical`, the run has `left_out` and
///   `overrides`, and `versions` has `commit` and `program`; a record that met a limit has the phases and
///   counters until then
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RecordVersion {
    /// Must equal the reader's.
    pub major: u32,
    /// May differ.
    pub minor: u32,
}

impl RecordVersion {
    /// What this build writes.
    pub const CURRENT: Self = Self { major: 1, minor: 2 };

    /// Whether this build can read a record of version `self`; if not, why.
    pub fn check(self) -> Result<(), String> {
        match self.major.cmp(&Self::CURRENT.major) {
            std::cmp::Ordering::Equal => Ok(()),
            std::cmp::Ordering::Less => {
                Err(format!("record format {self} is too old for this build ({})", Self::CURRENT))
            }
            std::cmp::Ordering::Greater => Err(format!(
                "record format {self} is newer than this build ({}): update harness",
                Self::CURRENT
            )),
        }
    }
}

impl fmt::Display for RecordVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// What identifies a run inside a plan.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RunKey {
    /// The task's id.
    pub task: String,
    /// The strategy's name.
    pub strategy: String,
    /// From 0.
    pub repeat: u32,
}

impl fmt::Display for RunKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {} (repeat {})", self.task, self.strategy, self.repeat)
    }
}

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// It answered every operation, within its limits.
    Answered,
    /// The named limit struck, `wall` or `cpu`; a verdict that came later does not count.
    Timeout(TimeLimit),
    /// The memory limit struck.
    Memout,
    /// A signal that the runner did not send.
    Signal(i32),
    /// It ended without an answer, with this exit code.
    Exit(i32),
    /// The strategy reported an error.
    Error(String),
    /// The strategy cannot do this; the operation's name.
    Unsupported(String),
}

/// Which time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeLimit {
    /// By the clock.
    Wall,
    /// Processor time.
    Cpu,
}

/// What the kernel accounted to the finished process tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// From the start of the process to its end, by the monotonic clock.
    pub wall_ns: u64,
    /// User and system time.
    pub cpu_ns: u64,
    /// Largest resident set.
    pub peak_rss_bytes: u64,
}

/// The time of a phase, in nanoseconds: once cold, and where the work was repeated in a warm process, its
/// median and spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseTime {
    /// In the accounted process, the first time.
    pub cold_ns: u64,
    /// Of the repetitions, where there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm: Option<WarmTime>,
}

impl PhaseTime {
    /// What tables show: the warm median where there is one, else the cold time.
    pub fn shown_ns(&self) -> u64 {
        self.warm.map_or(self.cold_ns, |w| w.median_ns)
    }
}

/// Repetitions inside one warm process, each doing the whole work again; the cold one is not among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarmTime {
    /// How many.
    pub samples: u32,
    /// Median.
    pub median_ns: u64,
    /// Median absolute deviation from the median.
    pub mad_ns: u64,
    /// Smallest.
    pub min_ns: u64,
    /// Largest.
    pub max_ns: u64,
}

/// One run of one strategy on one task.
///
/// Kept small, for a report holds half a million of them: names are shared, maps are lists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Flat")]
pub struct Record {
    /// Of the format.
    pub version: RecordVersion,
    /// Which run.
    #[serde(flatten)]
    pub key: RunKey,
    /// The task's family.
    pub family: Name,
    /// The task's alphabet.
    pub alphabet: Alphabet,
    /// Why it stopped.
    pub termination: Termination,
    /// What it said, one answer an operation; empty when it did not answer. A late answer is kept.
    pub answers: Vec<Answer>,
    /// What it used; absent when the process could not be started.
    pub usage: Option<Usage>,
    /// How usage was measured.
    pub method: Name,
    /// Phases by name. `prepare` and `solve` are always there when the strategy answered; others are parts of
    /// these two.
    pub phases: Named<PhaseTime>,
    /// Counters by name, of the cold run.
    pub counters: Named<u64>,
    /// The end of what the worker wrote to standard error, if anything.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// Start, in seconds since 1970.
    pub started_unix_s: f64,
    /// The core that the worker was pinned to, where pinning works.
    pub core: Option<u32>,
}

/// A record as it is read. Written out, since what serde flattens it holds in a copy of its own first, which
/// takes more time than all the rest.
#[derive(Deserialize)]
struct Flat {
    version: RecordVersion,
    task: String,
    strategy: String,
    repeat: u32,
    family: Name,
    alphabet: Alphabet,
    termination: Termination,
    answers: Vec<Answer>,
    usage: Option<Usage>,
    method: Name,
    phases: Named<PhaseTime>,
    counters: Named<u64>,
    #[serde(default)]
    stderr: String,
    started_unix_s: f64,
    core: Option<u32>,
}

impl From<Flat> for Record {
    fn from(flat: Flat) -> Self {
        let Flat { version, task, strategy, repeat, family, alphabet, termination, mut answers, .. } = flat;
        // A reader of lists makes room for more than the one answer that most records have.
        answers.shrink_to_fit();
        Self {
            version,
            key: RunKey { task, strategy, repeat },
            family,
            alphabet,
            termination,
            answers,
            usage: flat.usage,
            method: flat.method,
            phases: flat.phases,
            counters: flat.counters,
            stderr: flat.stderr,
            started_unix_s: flat.started_unix_s,
            core: flat.core,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        assert_eq!(RecordVersion::CURRENT.check(), Ok(()));
        assert_eq!(RecordVersion { minor: 99, ..RecordVersion::CURRENT }.check(), Ok(()));
        assert!(RecordVersion { major: 0, minor: 0 }.check().unwrap_err().contains("too old"));
        assert!(RecordVersion { major: 2, minor: 0 }.check().unwrap_err().contains("newer"));
    }

    #[test]
    fn a_record_is_one_line_and_round_trips() {
        let record = Record {
            version: RecordVersion::CURRENT,
            key: RunKey { task: "t/1".into(), strategy: "s".into(), repeat: 0 },
            family: "t".into(),
            alphabet: Alphabet::Ascii,
            termination: Termination::Timeout(TimeLimit::Cpu),
            answers: vec![Answer::empty(), Answer::word("a\nb".into())],
            usage: Some(Usage { wall_ns: 1, cpu_ns: 2, peak_rss_bytes: 3 }),
            method: "wait4".into(),
            phases: [("solve".into(), PhaseTime { cold_ns: 5, warm: None })].into(),
            counters: [("states".into(), 7)].into(),
            stderr: String::new(),
            started_unix_s: 1.5,
            core: Some(1),
        };
        let line = serde_json::to_string(&record).unwrap();
        assert!(!line.contains('\n'));
        assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record);
    }
}
