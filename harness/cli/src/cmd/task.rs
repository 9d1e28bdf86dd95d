//! `harness task show DIR ID`

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use backends_api::protocol::Request;
use harness_config::names;
use harness_store::RunReader;

use crate::exit::Exit;
use crate::out;

/// Prints the request that a worker was given for the task `id`.
pub fn show(dir: &Path, id: &str, strategy: Option<&str>) -> anyhow::Result<Exit> {
    let run = RunReader::open(dir)?;
    let info = run.info();
    let Some(task) = run.tasks().iter().find(|task| task.id == id) else {
        let hint = names::hint(id, run.tasks().iter().map(|task| task.id.as_str()));
        bail!(
            "{}: there is no task '{id}'{hint} (the ids are in the first column of results.csv)",
            dir.display()
        );
    };
    let all = || info.strategies.iter().map(|row| row.name.as_str());
    let strategy = match strategy {
        Some(name) if all().all(|known| known != name) => {
            bail!("{}: there is no strategy '{name}' in this run{}", dir.display(), names::hint(name, all()))
        }
        Some(name) => name,
        None => all().next().context("the run has no strategy")?,
    };
    // A worker knows canonical names; runs from before there were others have no such field.
    let row = info.strategies.iter().find(|row| row.name == strategy && !row.canonical.is_empty());
    let request = Request {
        id: 0,
        strategy: row.map_or(strategy, |row| row.canonical.as_str()).to_owned(),
        question: Arc::new(task.question.clone()),
        limits: info.limits,
        sampling: info.sampling,
    };
    out::print(format_args!("{}\n", serde_json::to_string(&request)?))?;
    Ok(Exit::Fine)
}
