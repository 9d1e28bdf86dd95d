//! A run that is there, read, judged and made compact.

use std::collections::HashSet;
use std::path::Path;

use harness_judge::Severity;
use harness_model::Task;
use harness_model::record::{Record, RunKey};
use harness_model::rules::Metric;
use harness_model::run::RunInfo;
use harness_regress::{Observations, Side};
use harness_store::{RECORDS_FILE, RunReader};

use crate::session;

/// A run as it was read.
pub struct Stored {
    /// What it is called.
    pub label: String,
    /// The commit, where known.
    pub commit: Option<String>,
    /// Its head.
    pub info: RunInfo,
    /// Its tasks.
    pub tasks: Vec<Task>,
    /// Its records.
    pub records: Vec<Record>,
    /// What could not be read, with file and line.
    pub damaged: Vec<String>,
}

impl Stored {
    /// Reads the run in `dir`.
    pub fn read(dir: &Path) -> anyhow::Result<Self> {
        let run = RunReader::open(dir)?;
        session::same_tasks(&run)?;
        let loaded = run.load()?;
        let file = dir.join(RECORDS_FILE);
        Ok(Self {
            label: dir.display().to_string(),
            commit: None,
            info: run.info().clone(),
            tasks: run.tasks().to_vec(),
            records: loaded.records,
            damaged: loaded
                .damaged
                .iter()
                .map(|damage| format!("{}:{}: {}", file.display(), damage.line, damage.why))
                .collect(),
        })
    }

    /// The lines that could not be read, as notes.
    pub fn damage(&self) -> Vec<String> {
        self.damaged.iter().map(|line| format!("passed over: {line}")).collect()
    }

    /// The records of the plan that are not there, as far as its head tells: every task by every strategy, in every repeat,
    /// but for as many of the last ones as are left out on purpose.
    pub fn missing(&self) -> Vec<RunKey> {
        let there: HashSet<&RunKey> = self.records.iter().map(|record| &record.key).collect();
        let short = usize::try_from(self.info.planned).unwrap_or(usize::MAX).saturating_sub(there.len());
        if short == 0 {
            return Vec::new();
        }
        // A cell of which there is no record in any repeat may be left out on purpose; it is named after all others.
        let cells: HashSet<(&str, &str)> =
            there.iter().map(|key| (key.task.as_str(), key.strategy.as_str())).collect();
        let mut missing = Vec::new();
        let mut empty = Vec::new();
        for task in &self.tasks {
            for strategy in &self.info.strategies {
                let known = cells.contains(&(task.id.as_str(), strategy.name.as_str()));
                for repeat in 0..self.info.repeats {
                    let key = RunKey { task: task.id.clone(), strategy: strategy.name.clone(), repeat };
                    if !there.contains(&key) {
                        (if known { &mut missing } else { &mut empty }).push(key);
                    }
                }
            }
        }
        missing.extend(empty);
        missing.truncate(short);
        missing
    }

    /// For [`harness_regress::differences`]: what gives the digest that this run would have with another one's limits, repeats,
    /// sampling and seed. Only a configuration knows what was left out, so this is right for runs that leave out nothing.
    pub fn redigester(&self) -> impl FnOnce(&RunInfo) -> String + use<> {
        let (tasks, strategies) = (self.tasks.clone(), self.info.strategies.clone());
        move |other: &RunInfo| {
            let names = strategies.into_iter().map(|row| row.name);
            harness_store::fingerprint(&tasks, names, other.repeats, other.limits, other.sampling, other.seed)
        }
    }

    /// Judges the records and makes them compact. The records themselves are gone then, which is what makes it possible to
    /// compare large runs.
    pub fn observe(self, metric: Metric) -> Observed {
        let missing = self.missing();
        let damage = self.damage();
        let verdicts = harness_judge::judge(&self.tasks, &self.records);
        let mut seen = Observations::new(metric);
        for (record, judgement) in self.records.iter().zip(&verdicts.judgements) {
            seen.add(record, judgement.status, &judgement.detail);
        }
        let side = Side {
            label: self.label,
            commit: self.commit,
            machine: self.info.machine.clone(),
            started_unix_s: self.info.started_unix_s,
            records: seen.records(),
            planned: self.info.planned,
        };
        Observed { info: self.info, seen, side, severity: verdicts.severity(), missing, damage }
    }
}

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
    /// The records that are not there.
    pub missing: Vec<RunKey>,
    /// What could not be read, as notes.
    pub damage: Vec<String>,
}
