//! One run in the form in which it is compared: compact, by task and strategy.
//!
//! A record of half a kilobyte becomes a few numbers, so that two runs of half a million records fit into
//! memory together. Records come in any order; those of one task and strategy are its repeats.

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
    /// Where in `seen` a cell is. Apart, since a table of large values would be half empty.
    cells: FxHashMap<Cell, u32>,
    seen: Vec<(Cell, Seen)>,
    records: u64,
}

/// A strategy on a task, by their numbers.
pub(crate) type Cell = (u32, u32);

/// The repeats of one strategy on one task.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// How often each status came.
    pub statuses: Statuses,
    /// Nanoseconds of the solved repeats that were measured.
    pub times: Vec<u64>,
    /// In the order in which they came.
    pub counters: Vec<Counter>,
    /// How many repeats answered.
    pub answered: u32,
    /// What the first solved repeat said, operation by operation.
    pub verdicts: Said,
    /// What the judge says of the first one that was not solved.
    pub detail: Box<str>,
}

/// Statuses with how often they came. There is mostly one, which takes up no memory elsewhere.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statuses {
    first: Option<(Status, u32)>,
    others: Vec<(Status, u32)>,
}

impl Statuses {
    fn add(&mut self, status: Status) {
        if let Some((_, times)) =
            self.first.iter_mut().chain(&mut self.others).find(|(known, _)| *known == status)
        {
            *times += 1;
        } else if self.first.is_none() {
            self.first = Some((status, 1));
        } else {
            self.others.push((status, 1));
        }
    }

    fn iter(&self) -> impl Iterator<Item = &(Status, u32)> {
        self.first.iter().chain(&self.others)
    }
}

/// Verdicts of the operations of a task. There is mostly one.
#[derive(Clone, Debug, Default)]
pub(crate) enum Said {
    #[default]
    Nothing,
    One(Verdict),
    Several(Box<[Verdict]>),
}

impl Said {
    fn of(record: &Record) -> Self {
        match record.answers.as_slice() {
            [] => Self::Nothing,
            [one] => Self::One(one.verdict),
            several => Self::Several(several.iter().map(|answer| answer.verdict).collect()),
        }
    }

    pub(crate) fn all(&self) -> &[Verdict] {
        match self {
            Self::Nothing => &[],
            Self::One(one) => std::slice::from_ref(one),
            Self::Several(several) => several,
        }
    }
}

/// A counter of the repeats that answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counter {
    /// Its number.
    pub name: u32,
    /// Whether all repeats had the same value.
    pub steady: bool,
    /// In the first repeat.
    pub value: u64,
    /// The least value of all repeats that have it.
    pub least: u64,
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

    /// By number: the place of the name in alphabetical order.
    pub(crate) fn ranks(&self) -> Vec<u32> {
        let mut order: Vec<u32> = self.iter().map(|(number, _)| number).collect();
        order.sort_by(|&a, &b| self.all[a as usize].cmp(&self.all[b as usize]));
        let mut ranks = vec![0; order.len()];
        for (rank, number) in (0..).zip(order) {
            ranks[number as usize] = rank;
        }
        ranks
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
            seen: Vec::new(),
            records: 0,
        }
    }

    /// The same with room for this number of pairs of a task and a strategy.
    pub fn with_room(metric: Metric, cells: usize) -> Self {
        let mut new = Self::new(metric);
        new.cells.reserve(cells);
        new.seen.reserve(cells);
        new
    }

    /// What was seen of a strategy on a task.
    pub(crate) fn seen(&self, cell: Cell) -> Option<&Seen> {
        self.seen.get(*self.cells.get(&cell)? as usize).map(|(_, seen)| seen)
    }

    /// All that was seen, in the order in which it came first.
    pub(crate) fn all(&self) -> &[(Cell, Seen)] {
        &self.seen
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
        let cell = (task, strategy);
        let place = *self.cells.entry(cell).or_insert_with(|| {
            self.seen.push((cell, Seen::default()));
            // As with names: more do not fit into memory.
            u32::try_from(self.seen.len() - 1).unwrap_or(u32::MAX)
        });
        let Some((_, seen)) = self.seen.get_mut(place as usize) else { return };
        seen.statuses.add(status);
        if !status.is_solved() {
            if seen.detail.is_empty() {
                seen.detail = detail.into();
            }
            return;
        }
        let time = match self.metric {
            Metric::Own | Metric::Cpu => record.usage.map(|usage| usage.cpu_ns),
            Metric::Solve => record.phases.get("solve").map(|time| time.shown_ns()),
        };
        if let Some(time) = time {
            // Exactly as much room as is needed where there is one repeat.
            if seen.times.is_empty() {
                seen.times.reserve_exact(1);
            }
            seen.times.push(time);
        }
        let first = seen.answered == 0;
        if first {
            seen.verdicts = Said::of(record);
        }
        seen.answered += 1;
        let counters = record.counters.iter().map(|(name, value)| (self.counters.number(name), *value));
        if first {
            seen.counters =
                counters.map(|(name, value)| Counter { name, steady: true, value, least: value }).collect();
        } else {
            same_or_nothing(&mut seen.counters, &counters.collect::<Vec<_>>());
        }
    }
}

/// Marks every counter that this repeat does not confirm.
fn same_or_nothing(known: &mut Vec<Counter>, now: &[(u32, u64)]) {
    for counter in known.iter_mut() {
        let again = now.iter().find(|(name, _)| *name == counter.name).map(|(_, value)| *value);
        counter.steady &= again == Some(counter.value);
        counter.least = again.map_or(counter.least, |value| value.min(counter.least));
    }
    for &(name, value) in now {
        if !known.iter().any(|counter| counter.name == name) {
            known.push(Counter { name, steady: false, value, least: value });
        }
    }
}

impl Seen {
    /// What became of most repeats, a worse one before a better one where there are as many; but wrong if one
    /// of them is.
    pub(crate) fn status(&self) -> Option<Status> {
        let bad = [Status::Wrong, Status::InvalidModel];
        if let Some(bad) = bad.into_iter().find(|bad| self.statuses.iter().any(|(status, _)| status == bad)) {
            return Some(bad);
        }
        let worse = |status: &Status| !status.is_solved();
        self.statuses.iter().max_by_key(|(status, times)| (*times, worse(status))).map(|(status, _)| *status)
    }

    /// How many repeats were not solved, and how many there are.
    pub(crate) fn unsolved(&self) -> (u32, u32) {
        let sum = |counts: &dyn Fn(&Status) -> bool| -> u32 {
            self.statuses.iter().filter(|(status, _)| counts(status)).map(|(_, times)| times).sum()
        };
        (sum(&|status| !status.is_solved()), sum(&|_| true))
    }

    /// What became of most of the repeats that were not solved.
    pub(crate) fn most_unsolved(&self) -> Option<Status> {
        let unsolved = self.statuses.iter().filter(|(status, _)| !status.is_solved());
        unsolved.max_by_key(|(_, times)| *times).map(|(status, _)| *status)
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
