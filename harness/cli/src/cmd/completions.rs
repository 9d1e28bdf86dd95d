//! `harness completions SHELL`

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::args::Cli;
use crate::exit::Exit;
use crate::out;

/// Prints the script for `shell`.
pub fn run(shell: Shell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "harness", &mut script);
    out::print(String::from_utf8_lossy(&script))?;
    Ok(Exit::Fine)
}
