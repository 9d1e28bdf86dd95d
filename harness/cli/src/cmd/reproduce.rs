//! `harness reproduce NAME --out DIR`

use anyhow::Context as _;

use crate::args::RunArgs;
use crate::exit::Exit;
use crate::{embedded, inventory, session};

/// Runs the study behind the published table `name`.
pub fn run(name: &str, args: &RunArgs) -> anyhow::Result<Exit> {
    let study = embedded::papers().find(|study| study.name == name);
    let study = study.with_context(|| format!("there is no published table '{name}'"))?;
    session::run(study.config(&inventory::vocabulary())?, args)
}
