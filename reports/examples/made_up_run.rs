//! Makes all reports of a made-up run, to look at: `cargo run -p reports --example made_up_run -- DIR
//! [STRATEGIES]`.

#![allow(clippy::print_stdout, reason = "a program for developers")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::path::Path;

use harness_model::Alphabet;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let dir = arguments.next().ok_or("say where to: a directory")?;
    let strategies = arguments.next().map_or(Ok(20), |n| n.parse())?;
    let strategies = usize::min(strategies, support::STRATEGIES.len());
    let dataset = support::large(1, strategies, &[Alphabet::Ascii, Alphabet::Utf16], true);
    for path in reports::write_all(&dataset, Path::new(&dir))? {
        println!("{}", path.display());
    }
    Ok(())
}
