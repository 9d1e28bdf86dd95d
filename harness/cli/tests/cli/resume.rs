//! Runs that are killed or stopped in the middle, and go on.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::{command, expect, harness, planned, records, stderr, stdout};

/// A study of some hundred records, each of which takes a while.
const STUDY: &str = "\
name: many
limits: {wall: 10s, memory: 1GiB}
sampling: {total: 20ms, max_samples: 100000}
alphabets: [ascii]
tasks:
  - corpus: {name: regexes/li2009, exclude: [A6, A8]}
strategies: [sfa-ranges-lazy, sfa-bdd-lazy, classes-lazy]
";

/// The study as a process group of its own.
fn start(dir: &Path) -> Child {
    fs::write(dir.join("a.yaml"), STUDY).unwrap();
    command(dir, &["compare", "a.yaml", "--out", "run"])
        .process_group(0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until the run has so many records.
fn until(run: &Path, count: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let lines = || fs::read_to_string(run.join("records.jsonl")).map_or(0, |text| text.lines().count());
    while lines() < count {
        assert!(Instant::now() < deadline, "the run does not get on");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn pid(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap()
}

#[track_caller]
fn complete(run: &Path) {
    let records = records(run);
    assert_eq!(records.len(), planned(run));
    let keys: BTreeSet<String> =
        records.iter().map(|r| format!("{} {} {}", r["task"], r["strategy"], r["repeat"])).collect();
    assert_eq!(keys.len(), records.len(), "no record twice");
}

#[test]
fn killed_in_the_middle_it_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let run = dir.path().join("run");
    let mut child = start(dir.path());
    until(&run, 15);
    kill_process_group(pid(&child), Signal::KILL).unwrap();
    child.wait().unwrap();
    let before = fs::read_to_string(run.join("records.jsonl")).unwrap().lines().count();
    assert!(before < planned(&run), "the kill came too late to show anything");

    // What is there can be reported, as incomplete.
    let report = harness(dir.path(), &["report", "run"]);
    expect(&report, 30);
    assert!(stdout(&report).contains("Incomplete: "), "{}", stdout(&report));

    let output = harness(dir.path(), &["compare", "a.yaml", "--out", "run"]);
    expect(&output, 0);
    assert!(stderr(&output).contains("run: resumed, "), "{}", stderr(&output));
    complete(&run);
}

#[test]
fn a_signal_stops_it_in_good_order() {
    let dir = tempfile::tempdir().unwrap();
    let run = dir.path().join("run");
    for (signal, count) in [(Signal::INT, 10), (Signal::TERM, 20)] {
        let child = start(dir.path());
        until(&run, count);
        kill_process(pid(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        expect(&output, 30);
        let said = stdout(&output);
        assert!(said.contains("Run the same command again"), "{said}");
        assert!(records(&run).len() < planned(&run));
        assert!(run.join("summary.md").exists());
    }
    expect(&harness(dir.path(), &["compare", "a.yaml", "--out", "run"]), 0);
    complete(&run);
}

#[test]
fn only_one_run_writes_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let run = dir.path().join("run");
    let mut child = start(dir.path());
    until(&run, 1);
    let other = harness(dir.path(), &["compare", "a.yaml", "--out", "run"]);
    expect(&other, 2);
    assert!(stderr(&other).contains("another run"), "{}", stderr(&other));
    kill_process_group(pid(&child), Signal::KILL).unwrap();
    child.wait().unwrap();
}
