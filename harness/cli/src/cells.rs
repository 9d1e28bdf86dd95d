//! Which records a run has to have: those of its tasks by its strategies, without what its configuration leaves out.

use std::path::Path;

use harness_config::Config;
use harness_model::run::RunInfo;
use harness_model::{Alphabet, Task};

use crate::cmd;

/// The cells of a run's plan.
pub struct Cells {
    /// By strategy: the alphabets in which it is left out.
    left: Vec<Vec<Alphabet>>,
    /// Whether these are as many records as the run planned.
    known: bool,
}

impl Cells {
    /// Those of a run. Its head says how many records there have to be, and its configuration which ones; that is read where it
    /// matters.
    pub fn of(info: &RunInfo, tasks: &[Task]) -> Self {
        let none = vec![Vec::new(); info.strategies.len()];
        let whole = Self { left: none.clone(), known: true };
        if whole.records(info, tasks) == info.planned {
            return whole;
        }
        if let Ok(config) = cmd::compare::read_text(&info.config, Path::new(harness_store::RUN_FILE)) {
            let of = |strategy: &str| {
                Alphabet::ALL.into_iter().filter(|&a| config.left_out(strategy, a).is_some()).collect()
            };
            let left = info.strategies.iter().map(|row| of(&row.name)).collect();
            let planned = Self { left, known: true };
            if planned.records(info, tasks) == info.planned {
                return planned;
            }
        }
        Self { left: none, known: false }
    }

    /// Whether there have to be records of the strategy with this place on `task`; where nothing is [known](Self::known) of it, yes.
    pub fn has(&self, task: &Task, strategy: usize) -> bool {
        self.left.get(strategy).is_some_and(|left| !left.contains(&task.question.alphabet))
    }

    /// Whether it is known what was left out on purpose.
    pub fn known(&self) -> bool {
        self.known
    }

    /// How many strategies there are on `task`.
    pub fn strategies(&self, task: &Task) -> usize {
        (0..self.left.len()).filter(|&strategy| self.has(task, strategy)).count()
    }

    fn records(&self, info: &RunInfo, tasks: &[Task]) -> u64 {
        let cells: u64 = tasks.iter().map(|task| self.strategies(task) as u64).sum();
        cells.saturating_mul(u64::from(info.repeats))
    }
}

/// For the digest of a plan: what is left out, each such cell under a name that no strategy has.
pub fn left_out(config: &Config, strategies: &[String]) -> Vec<String> {
    let left = |strategy: &String| -> Vec<String> {
        let alphabets = Alphabet::ALL.into_iter().filter(|&a| config.left_out(strategy, a).is_some());
        alphabets.map(|alphabet| format!("left out: {strategy} {alphabet}")).collect()
    };
    strategies.iter().flat_map(left).collect()
}
