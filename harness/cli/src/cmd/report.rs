//! `harness report DIR`

use std::path::Path;

use crate::exit::Exit;
use crate::session;

/// Judges and reports what is in `dir`.
pub fn run(dir: &Path) -> anyhow::Result<Exit> {
    session::conclude(dir)
}
