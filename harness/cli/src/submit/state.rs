//! What has become of each shard, put together of what there is: its records, what its job wrote down, and,
//! where they are here, what SLURM's programs say.
//!
//! Records have the first word: a shard with all of them is complete, whatever became of a job. Then comes
//! what is certain of the present (SLURM, a lock on this machine), then how the last job ended.

use std::fmt;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::bail;
use harness_model::run::RunInfo;
use harness_store::{Glance, glance};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::slurm::{self, Known};
use super::{Engine, Place, Submission, ranges};

/// What has become of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// In the queue, or not submitted.
    Waiting,
    /// At work.
    Running,
    /// It has all of its records.
    Complete,
    /// It ended with an error, which comes again unless something is mended.
    Failed,
    /// It was ended from outside: the node, a limit of time, a person.
    Killed,
}

impl State {
    /// All, in the order in which they are counted.
    pub const ALL: [Self; 5] = [Self::Complete, Self::Running, Self::Waiting, Self::Killed, Self::Failed];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Failed => "failed",
            Self::Killed => "killed",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A shard, and what has become of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Shard {
    /// From 1.
    pub number: u32,
    /// How many records it has to have.
    pub planned: u64,
    /// How many it has.
    pub made: u64,
    /// What has become of it.
    pub state: State,
    /// Whether a job of it waits in the queue or runs: then it is not submitted again.
    pub is_under_way: bool,
    /// Why it is taken for that, in words.
    pub why: String,
    /// Its last job, where one has begun.
    pub job: Option<String>,
    /// Where that ran.
    pub host: Option<String>,
    /// The exit status of that, where it ended by itself.
    pub status: Option<i32>,
}

impl Shard {
    /// As JSON.
    pub fn json(&self) -> Value {
        json!({
            "shard": self.number, "state": self.state.name(), "made": self.made, "planned": self.planned,
            "why": self.why, "job": self.job, "host": self.host, "status": self.status,
        })
    }
}

/// What a job wrote of its beginning and its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// The job, as SLURM calls it; none where it was started by hand.
    pub job: Option<String>,
    /// Where.
    pub host: String,
    /// The exit status, once it has ended.
    pub status: Option<i32>,
}

impl Mark {
    /// The one in a file; `None` where no job has begun.
    pub fn read(path: &Path) -> Option<Self> {
        Self::parse(&fs::read_to_string(path).ok()?)
    }

    /// `began JOB HOST SECONDS`, then `ended STATUS SECONDS`.
    fn parse(text: &str) -> Option<Self> {
        let mut mark = None;
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match (words[..].first().copied(), &mut mark) {
                (Some("began"), _) if words.len() >= 3 => {
                    let job = Some(words[1].to_owned()).filter(|job| job != "-");
                    mark = Some(Self { job, host: words[2].to_owned(), status: None });
                }
                (Some("ended"), Some(mark)) => {
                    mark.status = words.get(1).and_then(|status| status.parse().ok());
                }
                _ => {}
            }
        }
        mark
    }
}

/// All that is known of a submission.
pub struct Survey {
    /// Each shard, the first one first.
    pub shards: Vec<Shard>,
    /// The shards together, where they were put together.
    pub merged: Option<Glance>,
    /// The last merge, where there was one.
    pub merge: Option<Mark>,
}

impl Survey {
    /// How many records there are.
    pub fn made(&self) -> u64 {
        self.shards.iter().map(|shard| shard.made).sum()
    }

    /// Whether all shards are complete.
    pub fn is_complete(&self) -> bool {
        self.shards.iter().all(|shard| shard.state == State::Complete)
    }

    /// Whether all records are in the merged run, and it was judged.
    pub fn is_merged(&self) -> bool {
        let all = |run: &Glance| run.made >= run.info.planned && run.made >= self.made() && run.made > 0;
        let ended = self.merge.as_ref().is_some_and(|merge| matches!(merge.status, Some(0 | 10 | 11)));
        self.is_complete() && ended && self.merged.as_ref().is_some_and(all)
    }

    /// The numbers of the shards that are so.
    pub fn numbers(&self, so: impl Fn(&Shard) -> bool) -> Vec<u32> {
        self.shards.iter().filter(|shard| so(shard)).map(|shard| shard.number).collect()
    }
}

/// Looks at everything. Reads the keys of all records, on all cores.
///
/// # Errors
///
/// When a file cannot be read, or is not what it should be.
pub fn survey(place: &Place, submission: &Submission) -> anyhow::Result<Survey> {
    let ids: Vec<&str> = submission.jobs.iter().map(|job| job.id.as_str()).collect();
    let (queue, accounts) = match submission.engine {
        Engine::Slurm => (slurm::queue(&ids), slurm::accounts(&ids)),
        Engine::Local => (None, Vec::new()),
    };
    let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
    let count = u32::try_from(submission.planned.len()).unwrap_or(u32::MAX);
    let look = |(index, &planned): (usize, &u64)| -> anyhow::Result<Shard> {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let dir = place.shard(number);
        let run = glance(&dir)?;
        let wanted = harness_store::Shard::new(number, count);
        if let Some(run) = &run
            && let found = harness_store::Shard::of(&run.info)
            && found != wanted
        {
            let found = found.map_or_else(|| "a whole run".to_owned(), |found| format!("shard {found}"));
            bail!(
                "{} holds {found}, not shard {number}/{count}: move it away, and submit again",
                dir.display()
            );
        }
        // What the shard itself says of its plan counts: strategies may be missing on one of the machines.
        let planned = run.as_ref().map_or(planned, |run| run.info.planned);
        let last = submission.jobs.iter().rev().find(|job| ranges::has(&job.shards, number));
        let mut known: Option<&Known> = None;
        if let Some(last) = last {
            let of = |all: &&Known| all.job == last.id && all.task == Some(number);
            known = queue.iter().flatten().find(of).or_else(|| accounts.iter().find(of));
        }
        let seen = Seen {
            planned,
            made: run.as_ref().map_or(0, |run| run.made),
            mark: Mark::read(&place.state(&number.to_string())),
            known,
            is_submitted: last.is_some(),
            can_ask: queue.is_some(),
            is_locked: is_locked(&locks, &dir.join(harness_store::LOCK_FILE)),
            is_fresh: run.as_ref().is_some_and(|run| is_fresh(&dir, &run.info)),
        };
        let (state, why) = seen.state();
        let is_under_way = state == State::Running || (state == State::Waiting && seen.is_queued());
        let (job, host, status) =
            seen.mark.map_or((None, None, None), |mark| (mark.job, Some(mark.host), mark.status));
        Ok(Shard { number, planned, made: seen.made, state, is_under_way, why, job, host, status })
    };
    let shards = submission.planned.par_iter().enumerate().map(look).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(Survey { shards, merged: glance(&place.merged())?, merge: Mark::read(&place.state("merge")) })
}

/// What is seen of a shard.
struct Seen<'a> {
    planned: u64,
    made: u64,
    mark: Option<Mark>,
    /// What SLURM says of its last job.
    known: Option<&'a Known>,
    is_submitted: bool,
    /// Whether SLURM's queue could be asked.
    can_ask: bool,
    /// Whether a process of this machine writes to it.
    is_locked: bool,
    /// Whether there was a record not long ago.
    is_fresh: bool,
}

impl Seen<'_> {
    /// Whether its job waits in a queue. Where that cannot be asked: whether it was submitted and has not
    /// begun.
    fn is_queued(&self) -> bool {
        match self.known {
            Some(known) => is_waiting(&known.state),
            None => self.is_submitted && !self.can_ask && self.mark.is_none(),
        }
    }

    /// What has become of it, and why it is taken for that.
    fn state(&self) -> (State, String) {
        if self.made >= self.planned {
            let why = if self.planned == 0 { "has no records" } else { "" };
            return (State::Complete, why.to_owned());
        }
        let told = |state: &str| format!("SLURM: {}", state.to_lowercase().replace('_', " "));
        if let Some(known) = self.known {
            if is_waiting(&known.state) {
                let why = match known.note.as_str() {
                    "" | "None" => "in the queue".to_owned(),
                    reason => format!("in the queue: {reason}"),
                };
                return (State::Waiting, why);
            }
            if is_running(&known.state) {
                return (State::Running, String::new());
            }
        }
        if self.is_locked {
            return (State::Running, "on this machine".to_owned());
        }
        let ended = self.known.map(|known| known.state.as_str());
        match (&self.mark, ended) {
            (Some(Mark { status: Some(status), .. }), _) => match status {
                // As a shell tells of a process that a signal has ended.
                129.. => (State::Killed, format!("its run was ended by signal {}", status - 128)),
                30 => (State::Killed, "stopped in good order before its end".to_owned()),
                0 | 10 | 11 => {
                    (State::Waiting, "had ended, and its records are not there any more".to_owned())
                }
                _ => (State::Failed, format!("ended with status {status}")),
            },
            // Whatever ended the job gave it no time to write that down.
            (_, Some(state)) => (State::Killed, told(state)),
            (Some(_), None) if self.can_ask && self.is_submitted => {
                (State::Killed, "its job is gone".to_owned())
            }
            (Some(_), None) if self.is_fresh => (State::Running, "had a record not long ago".to_owned()),
            (Some(_), None) => (State::Killed, "had no record for a long time".to_owned()),
            (None, None) if self.is_submitted && !self.can_ask => {
                (State::Waiting, "submitted; SLURM cannot be asked".to_owned())
            }
            (None, None) if self.is_submitted => {
                (State::Killed, "its job is gone before it began".to_owned())
            }
            (None, None) => (State::Waiting, "not submitted".to_owned()),
        }
    }
}

fn is_waiting(state: &str) -> bool {
    const WAITING: [&str; 7] = [
        "PENDING",
        "CONFIGURING",
        "REQUEUED",
        "REQUEUE_HOLD",
        "REQUEUE_FED",
        "SPECIAL_EXIT",
        "RESV_DEL_HOLD",
    ];
    WAITING.contains(&state)
}

fn is_running(state: &str) -> bool {
    const RUNNING: [&str; 7] =
        ["RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "RESIZING", "SIGNALING", "STAGE_OUT"];
    RUNNING.contains(&state)
}

/// A run writes a record at least so often: after its limit of time, and some more.
fn is_fresh(dir: &Path, info: &RunInfo) -> bool {
    let patience = info.limits.wall.saturating_mul(2) + Duration::from_secs(60);
    // The directory's own time tells when the run began.
    let files = [dir.join(harness_store::RECORDS_FILE), dir.join(harness_store::RUN_FILE)];
    let times = files.iter().filter_map(|file| fs::metadata(file).ok()?.modified().ok());
    times.max().is_some_and(|time| {
        SystemTime::now().duration_since(time).is_ok_and(|age| age < patience) || time > SystemTime::now()
    })
}

/// Whether a process of this machine holds the lock on a file, by the text of `/proc/locks`. The file is not
/// locked for that: a run that begins at this moment would be refused.
fn is_locked(locks: &str, file: &Path) -> bool {
    let Ok(found) = fs::metadata(file) else { return false };
    // `1: FLOCK  ADVISORY  WRITE 4711 fe:00:131 0 EOF`: major and minor number of the device, inode. File
    // systems without a device of their own show another number there than to programs, so inodes are
    // compared, among locks of this kind.
    locks.lines().any(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let inode = words.get(5).and_then(|place| place.rsplit(':').next()?.parse::<u64>().ok());
        words.get(1) == Some(&"FLOCK") && words.get(3) == Some(&"WRITE") && inode == Some(found.ino())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen() -> Seen<'static> {
        Seen {
            planned: 10,
            made: 3,
            mark: None,
            known: None,
            is_submitted: true,
            can_ask: true,
            is_locked: false,
            is_fresh: false,
        }
    }

    fn mark(status: Option<i32>) -> Option<Mark> {
        Some(Mark { job: Some("12_3".into()), host: "node".into(), status })
    }

    fn known(state: &str) -> Known {
        Known { job: "12".into(), task: Some(3), state: state.into(), note: "Priority".into() }
    }

    #[test]
    fn marks_of_jobs() {
        let of = |text: &str| Mark::parse(text);
        assert_eq!(of("began 12_3 node 1\n"), mark(None));
        assert_eq!(of("began 12_3 node 1\nended 30 2\n"), mark(Some(30)));
        // Begun again after it had ended.
        assert_eq!(of("began - x 1\nended 30 2\nbegan 12_3 node 3\n"), mark(None));
        assert_eq!(of("began - x 1\n").unwrap().job, None);
        for text in ["", "ended 0 1\n", "began\n", "\u{0}\u{0}"] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn records_come_first() {
        let gone = known("NODE_FAIL");
        let complete = Seen { made: 10, mark: mark(Some(2)), known: Some(&gone), ..seen() };
        assert_eq!(complete.state().0, State::Complete);
        assert_eq!(Seen { made: 0, planned: 0, ..seen() }.state().0, State::Complete);
    }

    #[test]
    fn what_slurm_says_of_the_present_comes_before_an_earlier_end() {
        for (said, state) in
            [("PENDING", State::Waiting), ("RUNNING", State::Running), ("COMPLETING", State::Running)]
        {
            let known = known(said);
            let seen = Seen { mark: mark(Some(2)), known: Some(&known), ..seen() };
            assert_eq!(seen.state().0, state, "{said}");
        }
        let known = known("PENDING");
        let waiting = Seen { known: Some(&known), ..seen() };
        assert_eq!(waiting.state().1, "in the queue: Priority");
        assert!(waiting.is_queued());
    }

    #[test]
    fn how_it_ended() {
        for (status, state) in [
            (30, State::Killed),
            (137, State::Killed),
            (143, State::Killed),
            (2, State::Failed),
            (40, State::Failed),
            // Some of its records were taken away since.
            (0, State::Waiting),
        ] {
            assert_eq!(Seen { mark: mark(Some(status)), ..seen() }.state().0, state, "{status}");
        }
        for said in ["NODE_FAIL", "TIMEOUT", "CANCELLED", "OUT_OF_MEMORY", "COMPLETED"] {
            let known = known(said);
            let seen = Seen { mark: mark(None), known: Some(&known), ..seen() };
            assert_eq!(seen.state().0, State::Killed, "{said}");
        }
    }

    #[test]
    fn without_slurm() {
        let away = || Seen { can_ask: false, ..seen() };
        let state = |seen: Seen<'_>| seen.state().0;
        assert_eq!(state(away()), State::Waiting);
        assert!(away().is_queued());
        assert_eq!(state(Seen { mark: mark(None), is_fresh: true, ..away() }), State::Running);
        assert_eq!(state(Seen { mark: mark(None), ..away() }), State::Killed);
        assert_eq!(state(Seen { is_locked: true, ..away() }), State::Running);
        assert_eq!(state(Seen { is_submitted: false, ..away() }), State::Waiting);
        assert!(!Seen { is_submitted: false, ..away() }.is_queued());
        // It can be asked, and knows nothing of the job any more.
        assert_eq!(state(Seen { mark: mark(None), is_fresh: true, ..seen() }), State::Killed);
        assert_eq!(state(seen()), State::Killed);
    }

    #[test]
    fn locks_of_this_machine() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        let file = fs::File::create(&path).unwrap();
        let read = || fs::read_to_string("/proc/locks").unwrap();
        assert!(!is_locked(&read(), &path));
        file.lock().unwrap();
        assert!(is_locked(&read(), &path));
        assert!(!is_locked(&read(), &dir.path().join("b")));
        drop(file);
        assert!(!is_locked(&read(), &path));
    }
}
