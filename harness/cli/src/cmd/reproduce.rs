//! `harness reproduce NAME --out DIR`

use anyhow::bail;
use harness_config::names;

use crate::args::RunArgs;
use crate::exit::Exit;
use crate::{embedded, inventory, session};

/// Runs the study behind the published table `name`.
pub fn run(name: &str, args: &RunArgs) -> anyhow::Result<Exit> {
    let papers = embedded::ALL.iter().filter(|c| c.paper);
    let Some(found) = papers.clone().find(|c| c.name == name) else {
        let hint = names::hint(name, papers.map(|c| c.name));
        bail!("there is no published table '{name}'{hint}");
    };
    session::run(found.config(&inventory::vocabulary())?, args)
}
