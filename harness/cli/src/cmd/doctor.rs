//! `harness doctor`

use std::fmt::Write as _;

use harness_config::units;
use harness_exec::{doctor, machine};

use crate::exit::Exit;
use crate::{embedded, inventory, out};

/// The programs that the built-in configuration for them has, each with its version or why it would be
/// skipped.
fn solvers() -> anyhow::Result<Vec<(String, String)>> {
    let Some(builtin) = embedded::find("solvers") else { return Ok(Vec::new()) };
    let config = match builtin.config(&inventory::vocabulary()) {
        Ok(config) => config,
        // It has the strategy 'z3' beside them, which this build may not have.
        Err(error) => return Ok(vec![("skipped".to_owned(), out::line(&error.to_string()))]),
    };
    let programs = config.strategies.iter().filter(|contender| contender.family == "external");
    Ok(programs
        .map(|contender| {
            let state = match inventory::found(contender) {
                Ok(version) => format!("found: {version}"),
                Err(why) => format!("skipped: {why}"),
            };
            (contender.name.clone(), state)
        })
        .collect())
}

/// The strategies whose library is in a program of its own, each with its version or why it would be skipped.
fn libraries() -> Vec<(String, String)> {
    let registry = backends::registry();
    let listed = registry.listed();
    let drivers = listed.iter().filter(|listed| listed.family.spec().id == "driver");
    drivers
        .map(|listed| {
            let state = match listed.build().found() {
                Ok(version) => format!("found: {version}"),
                Err(why) => format!("skipped: {why}"),
            };
            (listed.name(), state)
        })
        .collect()
}

/// Prints what this build and this machine can do, and what they cannot.
pub fn run() -> anyhow::Result<Exit> {
    let mut text = String::from("Versions\n");
    let versions = inventory::versions();
    text.push_str(&out::names(versions.iter().map(|(name, version)| (name.as_str(), version.as_str()))));

    let machine = machine::machine();
    let memory = format!("{} MiB", machine.memory_bytes >> 20);
    let cores = machine.cores.to_string();
    text.push_str("\nMachine\n");
    text.push_str(&out::names([
        ("processor", machine.cpu.as_str()),
        ("cores", &cores),
        ("memory", &memory),
        ("kernel", &machine.kernel),
        ("system", &machine.os),
    ]));

    text.push_str("\nLimits and measuring\n");
    let checks = doctor::limits_check();
    let rows: Vec<(&str, String)> = checks
        .iter()
        .map(|check| {
            let state = match &check.state {
                Ok(state) => format!("ok: {state}"),
                Err(why) if check.required => format!("NOTHING CAN BE RUN: {why}"),
                Err(why) => format!("without: {why}"),
            };
            (check.name, format!("{state} ({})", check.purpose))
        })
        .collect();
    text.push_str(&out::names(rows.iter().map(|(name, state)| (*name, state.as_str()))));

    text.push_str("\nSolvers that are programs of their own, as configs/solvers.yaml has them\n");
    let solvers = solvers()?;
    text.push_str(&out::names(solvers.iter().map(|(name, state)| (name.as_str(), state.as_str()))));

    text.push_str("\nLibraries of other languages, each in a program of its own\n");
    let libraries = libraries();
    text.push_str(&out::names(libraries.iter().map(|(name, state)| (name.as_str(), state.as_str()))));

    let strategies = inventory::strategies();
    let _ = writeln!(text, "\nStrategies: {} in this build", strategies.len());
    for feature in backends::FEATURES.iter().filter(|feature| !feature.on) {
        let _ = writeln!(text, "  skipped: {}: {}", feature.patterns.join(", "), feature.way_out());
    }
    if env!("HARNESS_PROFILE") != "release" {
        text.push_str(
            "\nThis is not a release build: its times mean little. Build with 'cargo build --release'.\n",
        );
    }
    if machine.memory_bytes > 0 && machine.memory_bytes < 4 << 30 {
        let _ = writeln!(
            text,
            "\nLittle memory ({}): give 'limits: {{memory: …}}' so that all workers fit in it together.",
            units::show_size(machine.memory_bytes)
        );
    }
    out::print(text)?;
    Ok(Exit::Fine)
}
