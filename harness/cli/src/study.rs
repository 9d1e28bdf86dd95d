//! From a configuration to tasks.
//!
//! What only a corpus, a generator or a parser can know of a configuration is found here, and told with the
//! place in the file.

use std::collections::{BTreeMap, HashMap, HashSet};

use anyhow::bail;
use harness_config::{Config, ConfigError, LeaveOut, OnBadTask, Position, TaskEntry, TaskSource};
use harness_model::Task;

use crate::sources;

/// The tasks of a configuration.
pub struct Study {
    /// In the order of the file; at least one; each id once.
    pub tasks: Vec<Task>,
    /// Expressions and scripts that cannot be read and were left out: which, where, why.
    pub bad: Vec<String>,
}

impl Study {
    /// Makes the tasks of every entry.
    ///
    /// # Errors
    ///
    /// When an entry cannot be made, a task would be there twice, an expression does not parse and the
    /// configuration says to stop then, or nothing is left.
    pub fn of(config: &Config) -> anyhow::Result<Self> {
        let mut study = Self { tasks: Vec::new(), bad: Vec::new() };
        let mut from: HashMap<String, Position> = HashMap::new();
        let mut bad = Vec::new();
        // What is wrong with a table that several entries use is told once.
        let mut told = HashSet::new();
        for entry in &config.tasks {
            let made = load(config, entry)?;
            bad.extend(made.bad.into_iter().filter(|line| told.insert(line.clone())));
            if made.tasks.is_empty() && bad.is_empty() {
                return Err(config.error(entry.at, "this entry makes no task").into());
            }
            for task in made.tasks {
                if let Some(first) = from.insert(task.id.clone(), entry.at) {
                    let message =
                        format!("the task '{}' is there already, from the entry at {first}", task.id);
                    return Err(config.error(entry.at, message).into());
                }
                study.tasks.push(task);
            }
        }
        if !bad.is_empty() && config.on_bad_task == OnBadTask::Stop {
            bail!(
                "{}\nFix what is wrong, or set 'on_bad_task: skip' in {} to skip such tasks",
                bad.join("\n"),
                config.path.display()
            );
        }
        if study.tasks.is_empty() {
            bail!("{}\nNo task is left: nothing of {} can be read", bad.join("\n"), config.path.display());
        }
        study.bad = bad;
        Ok(study)
    }

    /// What is not run, and why: lines for people.
    pub fn skipped(&self, config: &Config) -> Vec<String> {
        self.bad.iter().cloned().chain(config.leave_out.iter().map(LeaveOut::describe)).collect()
    }

    /// How many tasks each family has.
    pub fn families(&self) -> BTreeMap<&str, usize> {
        let mut families = BTreeMap::new();
        for task in &self.tasks {
            *families.entry(task.family.as_str()).or_insert(0) += 1;
        }
        families
    }
}

/// What an entry makes: tasks, and the expressions and scripts that cannot be read.
pub struct LoadedTasks {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// Which, where, why.
    pub bad: Vec<String>,
}

fn load(config: &Config, entry: &TaskEntry) -> Result<LoadedTasks, ConfigError> {
    let alphabets = &entry.alphabets;
    let (at, made) = match &entry.source {
        TaskSource::Corpus(corpus) => (entry.at, sources::corpus(corpus, alphabets)),
        TaskSource::Regexes(regexes) => (regexes.at, sources::regexes(regexes, alphabets)),
        TaskSource::Scripts(scripts) => match sources::scripts(scripts, alphabets) {
            Ok(made) => (entry.at, Ok(made)),
            Err((at, why)) => (at, Err(why)),
        },
        TaskSource::Systems(systems) => match sources::systems(systems, alphabets) {
            Ok(made) => (entry.at, Ok(made)),
            Err((at, why)) => (at, Err(why)),
        },
        TaskSource::Grammars(grammars) => match sources::grammars(grammars, alphabets) {
            Ok(made) => (entry.at, Ok(made)),
            Err((at, why)) => (at, Err(why)),
        },
        TaskSource::Fetched(fetched) => match sources::fetched(fetched, alphabets) {
            Ok(made) => (entry.at, Ok(made)),
            Err((at, why)) => (at, Err(why)),
        },
        TaskSource::Generator(generator) => (entry.at, sources::generator(generator, alphabets)),
    };
    made.map_err(|why| config.error(at, why))
}
