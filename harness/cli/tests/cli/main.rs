//! The program as its users meet it: commands, messages, exit statuses, kills.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod again;
mod compare;
mod config;
mod dialects;
mod export;
mod external;
mod fetch;
mod grammars;
mod help;
mod history;
#[cfg(feature = "misbehaving")]
mod misbehaving;
mod regress;
mod report;
mod resume;
mod schema;
mod script_files;
mod shards;
mod shrink;
mod solve;
mod solve_many;
mod submit;
mod tampered;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

thread_local! {
    /// Where the program locks cores: each test has a thread of its own.
    static RUNTIME: tempfile::TempDir = tempfile::tempdir().unwrap();
}

/// A call of the program in a directory of its own, which has no configuration.
fn harness(dir: &Path, args: &[&str]) -> Output {
    command(dir, args).output().unwrap()
}

fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("harness"));
    // Locks of cores are between runs of one test, and not between tests that run at once.
    command.current_dir(dir).args(args).env("NO_COLOR", "1").env_remove("RUST_BACKTRACE");
    RUNTIME.with(|runtime| command.env("XDG_RUNTIME_DIR", runtime.path()));
    command
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The exit status; fails with what the program said when it is another one.
#[track_caller]
fn expect(output: &Output, status: i32) {
    assert_eq!(output.status.code(), Some(status), "{}\n{}", stdout(output), stderr(output));
}

/// A study that takes no time: `strategies` on the pairs of two small expressions.
fn small(strategies: &str) -> String {
    format!(
        "name: small\nlimits: {{wall: 10s, memory: 1GiB}}\nalphabets: [ascii]\ntasks:\n  - corpus: {{name: regexes/li2009, \
         include: [A3, A4]}}\nstrategies: {strategies}\n"
    )
}

/// The records of a run, one JSON value each.
fn records(run: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(run.join("records.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The number of records that a run plans.
fn planned(run: &Path) -> usize {
    let text = std::fs::read_to_string(run.join("run.json")).unwrap();
    let info: serde_json::Value = serde_json::from_str(&text).unwrap();
    usize::try_from(info["planned"].as_u64().unwrap()).unwrap()
}

/// What became of each record of a run: key and status, verdict and witness apart from times.
fn verdicts(run: &Path) -> BTreeMap<Vec<String>, String> {
    results(run).into_iter().map(|row| ([&row[..1], &row[3..5]].concat(), row[5].clone())).collect()
}

/// The rows of a run's `results.csv` without its header, cut at the commas; no field in front of `detail` has
/// one.
fn results(run: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(run.join("results.csv")).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}
