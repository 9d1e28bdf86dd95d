//! A run that is there, read, judged and made compact in one go.
//!
//! The judge looks at one task at a time, so a task is judged as soon as all its records were read, and they
//! are gone then: where each task and strategy has one record, the largest run needs little more memory than
//! its compact form.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use harness_judge::Severity;
use harness_model::calibration::Pace;
use harness_model::record::{Record, RunKey};
use harness_model::rules::Metric;
use harness_model::run::RunInfo;
use harness_model::{Status, Task};
use harness_regress::comparison::MOST_FAULTS;
use harness_regress::{Faults, Observations, Side};
use harness_store::{RECORDS_FILE, RunReader};

use crate::cells::{self, Cells};
use crate::regress::show;
use crate::{inventory, session, summary};

/// So many records are judged at a time, which the judge does on all cores.
const BATCH: usize = 20_000;

/// Room for so many pairs of a task and a strategy is made beforehand, if a run has as many.
const MOST_RESERVED: u64 = 1_000_000;

/// A run, judged and compact.
pub struct Observed {
    /// Its head.
    pub info: RunInfo,
    /// What is compared.
    pub seen: Observations,
    /// What it is called.
    pub side: Side,
    /// How bad its verdicts are.
    pub severity: Severity,
    /// Which are bad, the first ones of them.
    pub faults: Faults,
    /// The records that are not there: [`Observed::missing()`] tells people.
    pub missing: Vec<RunKey>,
    /// Whether it is only guessed which they are, since what was left out on purpose is not known.
    pub guessed: bool,
    /// The keys of records that are not of the plan: they are not compared and do not count as made.
    pub strangers: Vec<String>,
    /// What could not be read, with file and line.
    pub damaged: Vec<String>,
}

impl Observed {
    /// Opens the run in `dir`.
    pub fn open(dir: &Path) -> anyhow::Result<RunReader> {
        let run = RunReader::open(dir)?;
        session::same_tasks(&run)?;
        Ok(run)
    }

    /// Reads and judges a run. Times will be those of `metric`.
    pub fn of(run: RunReader, metric: Metric) -> anyhow::Result<Self> {
        let records = run.records()?;
        let pace = Pace::of(&run.calibrations()?);
        let (path, info, tasks) = run.into_parts();
        let info = inventory::completed(info);
        let file = path.join(RECORDS_FILE);
        let mut reading = Reading::new(info, tasks, metric);
        let mut damaged = Vec::new();
        for item in records {
            match item? {
                Ok(record) => reading.add(record),
                Err(damage) => damaged.push(format!("{}:{}: {}", file.display(), damage.line, damage.why)),
            }
        }
        let mut observed = reading.finish(path.display().to_string());
        observed.damaged = damaged;
        observed.side.pace = pace;
        Ok(observed)
    }

    /// The run in `dir`, read and judged.
    pub fn read(dir: &Path, metric: Metric) -> anyhow::Result<Self> {
        Self::of(Self::open(dir)?, metric)
    }

    /// Lines that say which records are missing of `what`; none if none is.
    pub fn missing(&self, what: &str) -> Vec<String> {
        let mut lines = show::missing(what, &self.missing);
        if self.guessed && !lines.is_empty() {
            lines.push(
                "which ones they are is a guess: this build does not read the run's configuration, which says what was left out on \
                 purpose"
                    .to_owned(),
            );
        }
        lines
    }

    /// The lines that could not be read, and records that are not of the plan, as notes.
    pub fn damage(&self) -> impl Iterator<Item = String> + '_ {
        let strangers =
            self.strangers.first().map(|first| session::strangers_note(self.strangers.len(), first));
        self.damaged.iter().map(|line| format!("passed over: {line}")).chain(strangers)
    }
}

/// For [`harness_regress::differences`]: the digest that the run in `dir` would have with another one's
/// limits, repeats, sampling and seed. Reads the tasks anew. Of a run that cannot be read any more, it is
/// none.
pub fn redigest(dir: &Path, other: &RunInfo) -> String {
    let Ok(run) = RunReader::open(dir) else { return String::new() };
    let info = inventory::completed(run.info().clone());
    let names = info.strategies.iter().map(|row| (row.name.as_str(), row.canonical.as_str()));
    let names = cells::digested(names, &info.left_out);
    harness_store::fingerprint(run.tasks(), names, other.repeats, other.limits, other.sampling, other.seed)
}

/// A run that is being read.
pub struct Reading {
    info: RunInfo,
    tasks: Vec<Task>,
    places: HashMap<String, usize>,
    /// By task: the records that wait for the others.
    waiting: Vec<Vec<Record>>,
    /// Which records there have to be.
    cells: Cells,
    /// By task: how many records it has when it is complete.
    complete: Vec<usize>,
    /// The tasks that are to be judged next, and their records.
    next: (Vec<usize>, Vec<Record>),
    /// Task, strategy and repeat of all records of the plan.
    keys: HashSet<(u32, u32, u32)>,
    seen: Observations,
    severity: Severity,
    faults: Faults,
    /// The keys of records that are not of the plan.
    strangers: Vec<String>,
}

impl Reading {
    /// A run without records yet.
    pub fn new(info: RunInfo, tasks: Vec<Task>, metric: Metric) -> Self {
        let repeats = usize::try_from(info.repeats).unwrap_or(usize::MAX);
        let cells = Cells::of(&info, &tasks);
        let complete = tasks.iter().map(|task| cells.strategies(task).saturating_mul(repeats)).collect();
        let room =
            info.tasks.saturating_mul(info.strategies.len() as u64).min(info.planned).min(MOST_RESERVED);
        Self {
            places: tasks.iter().enumerate().map(|(place, task)| (task.id.clone(), place)).collect(),
            waiting: vec![Vec::new(); tasks.len()],
            cells,
            complete,
            next: (Vec::new(), Vec::new()),
            keys: HashSet::new(),
            seen: Observations::with_room(metric, usize::try_from(room).unwrap_or(0)),
            severity: Severity::Fine,
            faults: Faults::default(),
            strangers: Vec::new(),
            info,
            tasks,
        }
    }

    /// Adds a record; of several with one key, only the first may be.
    pub fn add(&mut self, record: Record) {
        let strategy = self.info.strategies.iter().position(|row| row.name == record.key.strategy);
        let place = self.places.get(&record.key.task).copied();
        let task = place.and_then(|place| self.tasks.get(place));
        let planned = |strategy: &usize| {
            task.is_some_and(|task| self.cells.has_record(task, *strategy, record.key.repeat))
        };
        let (Some(place), Some(strategy)) = (place, strategy.filter(planned)) else {
            // It came in some other way: it is no part of the run, and its task is not complete by it.
            self.strangers.push(record.key.to_string());
            return;
        };
        self.keys.insert((number(place), number(strategy), record.key.repeat));
        self.waiting[place].push(record);
        if self.waiting[place].len() >= self.complete[place] {
            self.ready(place);
            if self.next.1.len() >= BATCH {
                self.judge();
            }
        }
    }

    /// All records of a task are there.
    fn ready(&mut self, place: usize) {
        self.next.0.push(place);
        // Taken, so that no room is kept for a hundred thousand lists.
        self.next.1.extend(std::mem::take(&mut self.waiting[place]));
    }

    /// Judges what is ready and makes it compact.
    fn judge(&mut self) {
        let (places, records) = std::mem::take(&mut self.next);
        let tasks: Vec<Task> = places.iter().map(|&place| self.tasks[place].clone()).collect();
        let verdicts = harness_judge::judge(&tasks, &records);
        self.severity = self.severity.max(verdicts.severity());
        for disagreement in verdicts.disagreements.iter().take(MOST_FAULTS) {
            let task = tasks.iter().find(|task| task.id == disagreement.task);
            let line = summary::describe(disagreement, task.map(|task| &task.question));
            Faults::keep(&mut self.faults.contradictions, line);
        }
        for (record, judgement) in records.iter().zip(&verdicts.judgements) {
            if judgement.status == Status::InvalidModel {
                let line = format!("{}: {}: {}", record.key.task, record.key.strategy, judgement.detail);
                Faults::keep(&mut self.faults.invalid_models, line);
            }
            self.seen.add(record, judgement.status, &judgement.detail);
        }
    }

    /// All records were added.
    pub fn finish(mut self, label: String) -> Observed {
        for place in 0..self.waiting.len() {
            if !self.waiting[place].is_empty() {
                self.ready(place);
            }
        }
        self.judge();
        let missing = self.missing();
        let side = Side {
            label,
            commit: None,
            machine: self.info.machine.clone(),
            started_unix_s: self.info.started_unix_s,
            records: self.seen.records(),
            planned: self.info.planned,
            pace: Pace::default(),
        };
        Observed {
            info: self.info,
            seen: self.seen,
            side,
            severity: self.severity,
            faults: self.faults,
            guessed: !self.cells.known() && !missing.is_empty(),
            missing,
            strangers: self.strangers,
            damaged: Vec::new(),
        }
    }

    /// The records of the plan that are not there. Where it is not known which cells are left out on purpose,
    /// as many as there have to be are taken, those of which another repeat is there first.
    fn missing(&self) -> Vec<RunKey> {
        let short = usize::try_from(self.info.planned).unwrap_or(usize::MAX).saturating_sub(self.keys.len());
        if short == 0 {
            return Vec::new();
        }
        let cells: HashSet<(u32, u32)> =
            self.keys.iter().map(|(task, strategy, _)| (*task, *strategy)).collect();
        let (mut missing, mut empty) = (Vec::new(), Vec::new());
        for (t, task) in (0..).zip(&self.tasks) {
            for (s, strategy) in (0..).zip(&self.info.strategies) {
                if !self.cells.has(task, s as usize) {
                    continue;
                }
                let list = if cells.contains(&(t, s)) { &mut missing } else { &mut empty };
                for repeat in (0..self.info.repeats).filter(|repeat| !self.keys.contains(&(t, s, *repeat))) {
                    list.push(RunKey { task: task.id.clone(), strategy: strategy.name.clone(), repeat });
                }
            }
        }
        missing.extend(empty);
        missing.truncate(short);
        missing
    }
}

/// A place in a list as a number that takes up little memory; longer lists do not fit into memory.
fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}
