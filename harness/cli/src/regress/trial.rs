//! The study run, alone or alternately with another build; compared; suspects run again.
//!
//! Where records lie: the run itself in the directory, as of `harness compare`; the other build's in its
//! folder `against`; each round of confirmation in a folder `confirm-N`, which looks the same inside.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use harness_config::{Config, names};
use harness_exec::{Build, Cores, Job, Pool, Renew, WorkerCommand, calibrate};
use harness_judge::Severity;
use harness_model::Task;
use harness_model::rules::Rules;
use harness_model::run::RunInfo;
use harness_regress::{Comparison, Condition, Setting, compare};
use harness_store::{RunDir, RunReader};

use crate::args::RegressArgs;
use crate::exit::Unfinished;
use crate::progress::Progress;
use crate::regress::copies::Copies;
use crate::regress::stored::Observed;
use crate::regress::{baseline, outputs, show};
use crate::study::Study;
use crate::{cmd, interrupt, out, receipt, session};

/// The folder of the other build's records.
const AGAINST: &str = "against";

/// Two runs and how they are compared.
pub struct Pair<'a> {
    /// What is compared with.
    pub before: &'a Observed,
    /// What is looked at.
    pub now: &'a Observed,
    /// What counts.
    pub rules: Rules,
    /// Whether both were made at the same time.
    pub interleaved: bool,
    /// Whether times decide.
    pub times_decide: bool,
}

impl Pair<'_> {
    /// Compares them; `notes` come before those of the comparison.
    pub fn compare(self, notes: Vec<String>) -> Comparison {
        let info = &self.now.info;
        let rules = self.rules;
        let ignore = rules.ignore.clone();
        let setting = Setting {
            name: info.name.clone(),
            baseline: self.before.side.clone(),
            current: self.now.side.clone(),
            strategies: info.strategies.iter().map(|row| row.name.clone()).collect(),
            rules,
            seed: info.seed,
            interleaved: self.interleaved,
            times_decide: self.times_decide,
            take_drift_out: !self.interleaved,
            disagreement: self.now.severity == Severity::Wrong,
            invalid_model: self.now.severity == Severity::InvalidModel,
            faults: self.now.faults.clone(),
            complete: self.now.missing.is_empty(),
            ignored: &|counter| ignore.iter().any(|pattern| names::matches(pattern, counter)),
            notes,
        };
        compare(&self.before.seen, &self.now.seen, setting)
    }
}

/// Everything that the rounds of a trial have in common.
struct Trial<'a> {
    args: &'a RegressArgs,
    config: Config,
    study: Study,
    /// The head of the run, and of that of the other build.
    info: RunInfo,
    other: Option<(WorkerCommand, RunInfo)>,
    /// Where both programs are run from.
    copies: Option<Arc<Copies>>,
    cores: Cores,
    stop: Arc<AtomicBool>,
}

/// Runs the study that `args` name, compares it, and runs again what is suspected.
pub fn run(args: &RegressArgs) -> anyhow::Result<Comparison> {
    let mut config = cmd::compare::read(&args.config)?;
    let mut overrides = session::overridden(&mut config, None, args.workers);
    if let Some(rounds) = args.confirm {
        config.regress.confirm = rounds;
        overrides.insert("confirm".to_owned(), rounds.to_string());
    }
    let study = Study::of(&config)?;
    session::tell_missing(&mut config, &study);
    session::within_reason(&config, &study)?;
    let jobs = session::plan(&config, &study);
    let info = RunInfo { overrides, ..session::describe(&config, &study, jobs.len()) };
    let other = match &args.against {
        Some(program) => {
            let program = &fs::canonicalize(program)
                .with_context(|| format!("{}: there is no such program", program.display()))?;
            let mut other = info.clone();
            let digest = receipt::of_program(program)
                .with_context(|| format!("{}: cannot be read", program.display()))?;
            other.versions =
                [("harness".to_owned(), version(program)?), ("program".to_owned(), digest)].into();
            // Two runs of one program are two runs for the history too.
            other.started_unix_s = session::now();
            Some((WorkerCommand::new(program, ["worker"]), other))
        }
        None => None,
    };
    // Before anything is run: a baseline that cannot be used should cost no time.
    let mut notes = Vec::new();
    let mut times_decide = true;
    let before = match &args.baseline {
        Some(name) => {
            // A run that is there already began earlier, and is not its own baseline.
            let there = args.out.as_ref().and_then(|dir| RunReader::open(dir).ok());
            let like = there.map(|run| run.info().clone()).filter(|run| run.fingerprint == info.fingerprint);
            let like = like.as_ref().unwrap_or(&info);
            let before = baseline::read(name, &args.db, like, config.regress.metric)?;
            let redigest = |other: &RunInfo| {
                let config = Config {
                    limits: other.limits,
                    repeats: other.repeats,
                    sampling: other.sampling,
                    seed: other.seed,
                    ..config.clone()
                };
                session::fingerprint(&config, &study)
            };
            let checked = baseline::check(&before, &info, &args.allow, redigest)?;
            notes = checked.notes;
            times_decide = checked.times_decide;
            Some(before)
        }
        None => None,
    };
    let kept = match &args.out {
        Some(_) => None,
        None => Some(tempfile::tempdir().context("no directory for the records: name one with --out")?),
    };
    let dir = match (&args.out, &kept) {
        (Some(dir), _) => dir.clone(),
        (None, Some(temporary)) => temporary.path().to_owned(),
        (None, None) => PathBuf::new(),
    };
    let cores = session::cores(info.workers, args.cores.as_deref())?;
    let stop = interrupt::stop_flag()?;
    let mut trial = Trial { args, config, study, info, other, copies: None, cores, stop };
    if let Some((program, _)) = &trial.other {
        match Copies::of(trial.program(), program.clone())? {
            Ok(copies) => trial.copies = Some(Arc::new(copies)),
            Err(why) => notes.push(why),
        }
    }
    // All that is read is there and right: whoever finds a file from now on finds one of this comparison.
    outputs::clear(args)?;
    if trial.round(jobs, &trial.study.tasks, &trial.info.fingerprint, &dir)? == 0 {
        out::tell(format_args!("{}: nothing left to run: all records are there", dir.display()));
    }
    let mut comparison = trial.compare(&dir, before.as_ref(), times_decide, notes)?;
    for number in 1..=trial.config.regress.confirm {
        let suspects = comparison.suspects();
        if suspects.is_empty() {
            break;
        }
        out::tell(format_args!(
            "suspected: {} tasks by strategies; run again, {number} of {}",
            suspects.len(),
            trial.config.regress.confirm
        ));
        let folder = dir.join(format!("confirm-{number}"));
        trial.again(&suspects, number, &folder)?;
        let round = trial.compare(&folder, before.as_ref(), times_decide, Vec::new())?;
        comparison.confirm(&round);
    }
    Ok(comparison)
}

impl Trial<'_> {
    /// How workers of this build are started.
    #[cfg(not(feature = "planted"))]
    #[expect(clippy::unused_self, reason = "a build with a feature looks into it")]
    fn program(&self) -> WorkerCommand {
        WorkerCommand::this_program()
    }

    /// How workers of this build are started: slower where that was asked for.
    #[cfg(feature = "planted")]
    fn program(&self) -> WorkerCommand {
        match &self.args.plant {
            None => WorkerCommand::this_program(),
            Some((name, percent)) => WorkerCommand::new(
                "/proc/self/exe",
                ["worker".to_owned(), format!("--plant={name}={percent}")],
            ),
        }
    }

    /// Runs what is suspected again. Beside a baseline from another time, all strategies are run on the tasks
    /// in question, since what the machine does is only seen in what they have in common.
    fn again(
        &self,
        suspects: &BTreeSet<(Arc<str>, Arc<str>)>,
        number: u32,
        dir: &Path,
    ) -> anyhow::Result<()> {
        let tasks: BTreeSet<&str> = suspects.iter().map(|(task, _)| &**task).collect();
        let suspected = |job: &Job| {
            let cell = (job.key.task.as_str().into(), job.key.strategy.as_str().into());
            if self.other.is_some() {
                suspects.contains(&cell)
            } else {
                tasks.contains(job.key.task.as_str())
            }
        };
        let config = Config { seed: self.config.seed.wrapping_add(number.into()), ..self.config.clone() };
        let mut jobs = session::plan(&config, &self.study);
        jobs.retain(suspected);
        let tasks: Vec<Task> =
            self.study.tasks.iter().filter(|task| tasks.contains(task.id.as_str())).cloned().collect();
        let cells = jobs.iter().map(|job| format!("{}\n{}", job.key.task, job.key.strategy));
        let digest = harness_store::fingerprint(
            &tasks,
            cells,
            config.repeats,
            config.limits,
            config.sampling,
            config.seed,
        );
        self.round(jobs, &tasks, &digest, dir).map(drop)
    }

    /// Makes the records of `jobs` in `dir`, those that are there already left out; with another build, its
    /// records too. Gives how many there were to be made.
    fn round(&self, jobs: Vec<Job>, tasks: &[Task], fingerprint: &str, dir: &Path) -> anyhow::Result<usize> {
        let head = |info: &RunInfo| RunInfo {
            fingerprint: fingerprint.to_owned(),
            tasks_digest: Some(harness_store::tasks_digest(tasks)),
            planned: jobs.len() as u64,
            tasks: tasks.len() as u64,
            ..info.clone()
        };
        let pool = Pool { command: self.program(), cores: self.cores.clone() };
        let other_build = self.args.allow.contains(&Condition::Program);
        let open = |dir: &Path, info| RunDir::create_or_go_on(dir, &head(info), tasks, other_build);
        let mut this = open(dir, &self.info)?;
        let mut other = match &self.other {
            Some((_, info)) => Some(open(&dir.join(AGAINST), info)?),
            None => None,
        };
        for notice in this.notices().iter().chain(other.iter().flat_map(RunDir::notices)) {
            out::tell(format_args!("note: {notice}"));
        }
        let mut shown = head(&self.info);
        let jobs = match &other {
            Some(_) => harness_exec::interleaved(jobs, self.info.seed),
            None => jobs,
        };
        shown.planned = jobs.len() as u64;
        let done = this.done().len() + other.as_ref().map_or(0, |other| other.done().len());
        let left = |job: &Job| match (job.build, &other) {
            (Build::Other, Some(other)) => !other.done().contains(&job.key),
            _ => !this.done().contains(&job.key),
        };
        let jobs = calibrate::calibrated(jobs.into_iter().filter(left).collect());
        let to_make = jobs.iter().filter(|job| job.calibration().is_none()).count();
        let mut progress = Progress::new(&shown, done, self.args.no_progress);
        let mut sink = |job: &Job, record| match (job.build, &mut other) {
            (Build::Other, Some(other)) => session::keep(other, job, &record).map_err(Into::into),
            _ => session::keep(&mut this, job, &record).map_err(Into::into),
        };
        let ran = if jobs.is_empty() {
            Ok(0)
        } else if let Some((program, _)) = &self.other {
            let copies = self.copies.clone().map(|copies| -> Arc<dyn Renew> { copies });
            let executors = pool.pairs(program, copies.as_ref());
            harness_exec::run(&jobs, executors, &mut sink, &mut progress, &self.stop)
                .map(|done| done.left.len())
        } else {
            let executors = pool.executors();
            harness_exec::run(&jobs, executors, &mut sink, &mut progress, &self.stop)
                .map(|done| done.left.len())
        };
        progress.finish();
        let finished = this.finish().and_then(|()| other.map_or(Ok(()), RunDir::finish));
        let kept = self.args.out.as_ref().map(|_| dir);
        match ran.map_err(|error| session::broken_off(kept, &error))? {
            0 => finished.map(|()| to_make).map_err(Into::into),
            left => Err(anyhow::Error::new(Unfinished(format!(
                "stopped: {}{}",
                show::are_missing(left, ""),
                if self.args.out.is_some() { "; the same command goes on from there" } else { "" }
            )))),
        }
    }

    /// Compares what is in `dir` with `before`, or else with what the other build did.
    fn compare(
        &self,
        dir: &Path,
        before: Option<&Observed>,
        times_decide: bool,
        mut notes: Vec<String>,
    ) -> anyhow::Result<Comparison> {
        let rules = self.config.regress.clone();
        let mut other = None;
        let before = match before {
            Some(before) => before,
            None => {
                let mut read = Observed::read(&dir.join(AGAINST), rules.metric)?;
                if let Some(program) = &self.args.against {
                    read.side.label = program.display().to_string();
                }
                other.insert(read)
            }
        };
        let mut now = Observed::read(dir, rules.metric)?;
        if self.args.out.is_none() {
            now.side.label = "this build".to_owned();
        }
        notes.extend(now.damage());
        let interleaved = self.other.is_some();
        Ok(Pair { before, now: &now, rules, interleaved, times_decide }.compare(notes))
    }
}

/// A program says its version within this time.
const PATIENCE: Duration = Duration::from_secs(10);

/// What it says is no longer than this.
const LONGEST_VERSION: u64 = 4096;

/// The version that another build says it has.
fn version(program: &Path) -> anyhow::Result<String> {
    let mut child = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("{}: cannot be started", program.display()))?;
    let mut said = child.stdout.take();
    // Read beside, so that neither a long text nor a long silence keeps anybody waiting.
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut text = Vec::new();
        if let Some(said) = &mut said {
            let _ = said.take(LONGEST_VERSION).read_to_end(&mut text);
        }
        let _ = sender.send(text);
    });
    let text = receiver.recv_timeout(PATIENCE);
    // A program that goes on after that is none of ours.
    let deadline = Instant::now() + Duration::from_secs(1);
    let status = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if text.is_err() || Instant::now() > deadline => {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    let Ok(text) = text else {
        bail!(
            "{}: is no build of this program: it does not answer to '--version' within {} s",
            program.display(),
            PATIENCE.as_secs()
        );
    };
    let text = String::from_utf8_lossy(&text);
    match text.trim().strip_prefix("harness ") {
        Some(version) if status.is_some_and(|status| status.success()) => Ok(version.to_owned()),
        _ => bail!(
            "{}: is no build of this program: '--version' says '{}'",
            program.display(),
            out::line(text.trim())
        ),
    }
}
