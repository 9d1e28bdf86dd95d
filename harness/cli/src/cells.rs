//! Which records a run has to have: those of its tasks by its strategies, without the cells that are left
//! out.

use harness_model::run::{LeftOut, RunInfo};
use harness_model::{Alphabet, Task};
use harness_store::Shard;

/// The cells of a run's plan.
pub struct Cells {
    /// By strategy: its name, and the alphabets in which it is left out.
    strategies: Vec<(String, Vec<Alphabet>)>,
    /// The part of the plan that the run is.
    shard: Option<Shard>,
    /// Whether these are as many records as the run planned.
    known: bool,
    repeats: u32,
}

impl Cells {
    /// Those of a run.
    pub fn of(info: &RunInfo, tasks: &[Task]) -> Self {
        let mut cells = Self::planned(info);
        if cells.records(info, tasks) != info.planned {
            // A run from before the cells were kept, whose configuration this build does not read.
            cells.strategies.iter_mut().for_each(|(_, left)| left.clear());
            cells.known = false;
        }
        cells
    }

    /// Those of a plan, by its head alone.
    pub fn planned(info: &RunInfo) -> Self {
        let of = |strategy: &str| -> Vec<Alphabet> {
            let cells = info.left_out.iter().filter(|cell| cell.strategy == strategy);
            cells.map(|cell| cell.alphabet).collect()
        };
        let strategies = info.strategies.iter().map(|row| (row.name.clone(), of(&row.name))).collect();
        Self { strategies, shard: Shard::of(info), known: true, repeats: info.repeats }
    }

    /// Whether there have to be records of the strategy with this place on `task`; where nothing is
    /// [known](Self::known) of it, yes.
    pub fn has(&self, task: &Task, strategy: usize) -> bool {
        self.strategies.get(strategy).is_some_and(|(name, left)| {
            !left.contains(&task.question.alphabet)
                && self.shard.is_none_or(|shard| shard.holds(&task.id, name))
        })
    }

    /// The same of one of the repeats.
    pub fn has_record(&self, task: &Task, strategy: usize, repeat: u32) -> bool {
        repeat < self.repeats && self.has(task, strategy)
    }

    /// Whether it is known what was left out on purpose.
    pub fn known(&self) -> bool {
        self.known
    }

    /// How many strategies there are on `task`.
    pub fn strategies(&self, task: &Task) -> usize {
        (0..self.strategies.len()).filter(|&strategy| self.has(task, strategy)).count()
    }

    /// How many records there are in the plan of `info`.
    pub fn records(&self, info: &RunInfo, tasks: &[Task]) -> u64 {
        let cells: u64 = tasks.iter().map(|task| self.strategies(task) as u64).sum();
        cells.saturating_mul(u64::from(info.repeats))
    }
}

/// What the digest of a plan is fed of strategies, given by name and canonical name, and of the cells that
/// are left out: names, with the canonical one where it is another, and each cell under a name that no
/// strategy has.
pub fn digested<'a>(
    strategies: impl Iterator<Item = (&'a str, &'a str)>,
    left_out: &[LeftOut],
) -> Vec<String> {
    let strategies = strategies.map(|(name, canonical)| {
        if canonical.is_empty() || canonical == name {
            name.to_owned()
        } else {
            format!("{name} = {canonical}")
        }
    });
    let left = left_out.iter().map(|cell| format!("left out: {} {}", cell.strategy, cell.alphabet));
    strategies.chain(left).collect()
}
