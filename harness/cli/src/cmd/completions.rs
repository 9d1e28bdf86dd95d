//! `harness completions SHELL`

use anyhow::Context as _;
use clap_complete::Shell;
use clap_complete::env::Shells;

use crate::exit::Exit;
use crate::out;

/// The variable by which the script asks the program what there is.
pub const ASKED: &str = "HARNESS_COMPLETE";

/// Prints the script for `shell`, which asks the program `harness` of the user's path.
pub fn run(shell: Shell) -> anyhow::Result<Exit> {
    let name = shell.to_string();
    let shells = Shells::builtins();
    let completer = shells.completer(&name).with_context(|| format!("there is no script for {name}"))?;
    let mut script = Vec::new();
    completer.write_registration(ASKED, "harness", "harness", "harness", &mut script)?;
    out::print(String::from_utf8_lossy(&script))?;
    Ok(Exit::Fine)
}
