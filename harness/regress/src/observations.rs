//! One run in the form in which it is compared: compact, by task and strategy.
//!
//! A record of half a kilobyte becomes a few numbers, so that two runs of half a million records fit into memory
//! together. Records come in any order; those of one task and strategy are its repeats.

use std::collections::BTreeMap;
use std::sync::Arc;

use harness_model::record::Record;
use harness_model::rules::Metric;
use harness_model::{Status, Verdict};
use rustc_hash::FxHashMap;

/// What was seen in one run.
#[derive(Clone, Debug)]
pub struct Observations {
    metric: Metric,
    pub(crate) tasks: Names,
    pub(crate) families: Names,
    pub(crate) strategies: Names,
    pub(crate) counters: Names,
    /// The family of each task.
    pub(crate) family_of: Vec<u32>,
    pub(crate) cells: FxHashMap<Cell, Seen>,
    records: u64,
}

/// A strategy on a task, by their numbers.
pub(crate) type Cell = (u32, u32);

/// The repeats of one strategy on one task.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// How often each status came.
    pub statuses: Vec<(Status, u32)>,
    /// Nanoseconds of the solved repeats that were measured.
    pub times: Vec<u64>,
    /// By counter: its value in the first repeat that answered, or `None` where another repeat had another.
    pub counters: Vec<(u32, Option<u64>)>,
    /// How many repeats answered.
    pub answered: u32,
    /// What the first solved repeat said, operation by operation.
    pub verdicts: Vec<Verdict>,
    /// What the judge says of the first one that was not solved.
    pub detail: String,
}

/// Texts with numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    all: Vec<Arc<str>>,
    numbers: FxHashMap<Arc<str>, u32>,
}

impl Names {
    /// The number of `name`, a new one if need be.
    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let name: Arc<str> = name.into();
        // More than four thousand million names do not fit into memory.
        let number = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.all.push(Arc::clone(&name));
        self.numbers.insert(name, number);
        number
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    pub(crate) fn name(&self, number: u32) -> Arc<str> {
        self.all.get(number as usize).map_or_else(|| "".into(), Arc::clone)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &Arc<str>)> {
        (0..).zip(&self.all)
    }
}

impl Observations {
    /// Nothing seen yet. Times will be those of `metric`.
    pub fn new(metric: Metric) -> Self {
        Self {
            metric,
            tasks: Names::default(),
            families: Names::default(),
            strategies: Names::default(),
            counters: Names::default(),
            family_of: Vec::new(),
            cells: FxHashMap::default(),
            records: 0,
        }
    }

    /// How many records were added.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Adds a record, what the judge made of it and what the judge says of it.
    pub fn add(&mut self, record: &Record, status: Status, detail: &str) {
        self.records += 1;
        let task = self.tasks.number(&record.key.task);
        if self.family_of.len() <= task as usize {
            self.family_of.push(self.families.number(&record.family));
        }
        let strategy = self.strategies.number(&record.key.strategy);
        let seen = self.cells.entry((task, strategy)).or_default();
        match seen.statuses.iter_mut().find(|(known, _)| *known == status) {
            Some((_, times)) => *times += 1,
            None => seen.statuses.push((status, 1)),
        }
        if !status.is_solved() {
            if seen.detail.is_empty() {
                detail.clone_into(&mut seen.detail);
            }
            return;
        }
        seen.times.extend(match self.metric {
            Metric::Cpu => record.usage.map(|usage| usage.cpu_ns),
            Metric::Solve => record.phases.get("solve").map(|time| time.shown_ns()),
        });
        if seen.verdicts.is_empty() {
            seen.verdicts = record.answers.iter().map(|answer| answer.verdict).collect();
        }
        let first = seen.answered == 0;
        seen.answered += 1;
        if first {
            let numbered =
                record.counters.iter().map(|(name, value)| (self.counters.number(name), Some(*value)));
            seen.counters = numbered.collect();
            return;
        }
        same_or_nothing(&mut seen.counters, &record.counters, &mut self.counters);
    }
}

/// Takes the value away from every counter that this repeat does not confirm.
fn same_or_nothing(known: &mut Vec<(u32, Option<u64>)>, now: &BTreeMap<String, u64>, names: &mut Names) {
    let mut met = 0;
    for (name, value) in now {
        let number = names.number(name);
        match known.iter_mut().find(|(known, _)| *known == number) {
            Some((_, before)) => {
                met += 1;
                if *before != Some(*value) {
                    *before = None;
                }
            }
            None => {
                met += 1;
                known.push((number, None));
            }
        }
    }
    if met < known.len() {
        for (number, before) in known {
            if !now.contains_key(&*names.name(*number)) {
                *before = None;
            }
        }
    }
}

impl Seen {
    /// What became of most repeats, a worse one before a better one where there are as many; but wrong if one of them is.
    pub(crate) fn status(&self) -> Option<Status> {
        let bad = [Status::Wrong, Status::InvalidModel];
        if let Some(bad) = bad.into_iter().find(|bad| self.statuses.iter().any(|(status, _)| status == bad)) {
            return Some(bad);
        }
        let worse = |status: &Status| !status.is_solved();
        self.statuses.iter().max_by_key(|(status, times)| (*times, worse(status))).map(|(status, _)| *status)
    }

    /// Whether more than half of the repeats were solved, and none was wrong.
    pub(crate) fn is_solved(&self) -> bool {
        let sum = |solved: bool| -> u32 {
            self.statuses
                .iter()
                .filter(|(status, _)| status.is_solved() == solved)
                .map(|(_, times)| times)
                .sum()
        };
        sum(true) > sum(false)
            && self.status().is_some_and(|s| !matches!(s, Status::Wrong | Status::InvalidModel))
    }
}
