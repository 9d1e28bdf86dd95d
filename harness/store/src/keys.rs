//! The keys met in a log. Every name is kept once, so that half a million keys take up some 20 MB and not
//! 100.

use std::collections::{HashMap, HashSet};

use harness_model::record::RunKey;

/// A set of keys.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    tasks: Names,
    strategies: Names,
    /// Numbers of the task and of the strategy, and the repeat.
    all: HashSet<(u32, u32, u32)>,
}

/// Names with numbers.
#[derive(Debug, Default)]
struct Names(HashMap<String, u32>);

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.0.get(name) {
            return number;
        }
        // More names than that do not fit into memory.
        let number = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        self.0.insert(name.to_owned(), number);
        number
    }

    /// By number.
    fn in_order(&self) -> Vec<&str> {
        let mut names = vec![""; self.0.len()];
        for (name, &number) in &self.0 {
            if let Some(place) = names.get_mut(number as usize) {
                *place = name;
            }
        }
        names
    }
}

impl Keys {
    /// Adds a key; whether it was new.
    pub(crate) fn insert(&mut self, key: &RunKey) -> bool {
        let (task, strategy) = (self.tasks.number(&key.task), self.strategies.number(&key.strategy));
        self.all.insert((task, strategy, key.repeat))
    }

    /// All of them.
    pub(crate) fn into_set(self) -> HashSet<RunKey> {
        let (tasks, strategies) = (self.tasks.in_order(), self.strategies.in_order());
        self.all
            .iter()
            .filter_map(|&(task, strategy, repeat)| {
                let (task, strategy) = (tasks.get(task as usize)?, strategies.get(strategy as usize)?);
                Some(RunKey { task: (*task).to_owned(), strategy: (*strategy).to_owned(), repeat })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_keys() {
        let key = |task: &str, strategy: &str, repeat| RunKey {
            task: task.into(),
            strategy: strategy.into(),
            repeat,
        };
        let all = [key("t", "s", 0), key("s", "t", 0), key("t", "s", 1), key("t2", "s", 0)];
        let mut keys = Keys::default();
        for key in &all {
            assert!(keys.insert(key));
            assert!(!keys.insert(key));
        }
        assert_eq!(keys.into_set(), all.into());
    }
}
