//! `harness compare CONFIG --out DIR`

use std::path::Path;

use anyhow::bail;
use harness_config::{Config, names};

use crate::args::RunArgs;
use crate::exit::Exit;
use crate::{embedded, inventory, session};

/// Runs the study at `path`, or the built-in one of that name.
pub fn run(path: &Path, args: &RunArgs) -> anyhow::Result<Exit> {
    session::run(read(path)?, args)
}

/// Reads a configuration from a file, or the built-in one of that name where there is no such file (a
/// directory, such as one that a run of that name has made, is none).
pub fn read(path: &Path) -> anyhow::Result<Config> {
    let vocabulary = inventory::vocabulary();
    if !path.is_file()
        && let Some(builtin) = path.to_str().and_then(embedded::find)
    {
        return Ok(builtin.config(&vocabulary)?);
    }
    // A word alone was hardly meant to be a file.
    if let Some(name) = path.to_str().filter(|name| !name.contains(['/', '.']))
        && !path.exists()
    {
        let known = embedded::ALL.iter().map(|builtin| builtin.name);
        let near =
            names::nearest(name, known).map_or_else(String::new, |near| format!(": did you mean '{near}'?"));
        bail!(
            "there is no file '{name}', and no configuration of that name is built in{near} ('harness list configs' shows \
             them)"
        );
    }
    Ok(Config::read(path, &vocabulary)?)
}

/// Checks the text of a configuration that a run was made with; `path` is what errors call it.
pub fn read_text(text: &str, path: &Path) -> anyhow::Result<Config> {
    Ok(Config::parse(text, path, Path::new(""), &inventory::vocabulary())?)
}
