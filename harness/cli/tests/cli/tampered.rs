//! Runs that somebody has changed behind the program's back, and plans that cannot be meant.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{expect, harness, planned, small, stderr, stdout};

/// A finished run in `dir`, which is complete and right.
fn run(dir: &Path) -> PathBuf {
    fs::write(dir.join("a.yaml"), small("[sfa-ranges-lazy, sfa-bdd-lazy]")).unwrap();
    expect(&harness(dir, &["compare", "a.yaml", "--out", "run"]), 0);
    dir.join("run")
}

/// Replaces the first `from` of a file of the run.
fn change(run: &Path, file: &str, from: &str, to: &str) {
    let text = fs::read_to_string(run.join(file)).unwrap();
    assert!(text.contains(from), "{file} has no {from}");
    fs::write(run.join(file), text.replacen(from, to, 1)).unwrap();
}

#[test]
fn a_record_of_no_run_of_the_plan_does_not_count() {
    for (from, to) in [
        ("\"strategy\":\"sfa-bdd-lazy\"", "\"strategy\":\"sfa-unknown\""),
        ("\"repeat\":0", "\"repeat\":99"),
        ("\"task\":\"regexes/", "\"task\":\"nosuch/"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let run = run(dir.path());
        change(&run, "records.jsonl", from, to);
        let output = harness(dir.path(), &["report", "run"]);
        expect(&output, 30);
        assert!(stdout(&output).contains("1 record belongs to no run of this plan"), "{}", stdout(&output));
        // In no table: the row of the record that it was is missing.
        assert_eq!(crate::results(&run).len(), planned(&run) - 1);
        // What is missing is made again; the stranger stays one.
        let again = harness(dir.path(), &["compare", "a.yaml", "--out", "run"]);
        expect(&again, 0);
        assert_eq!(crate::records(&run).len(), planned(&run) + 1);
    }
}

#[test]
fn changed_tasks_are_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let run = run(dir.path());
    change(&run, "tasks.jsonl", "\"alphabet\":\"ascii\"", "\"alphabet\":\"utf16\"");
    let output = harness(dir.path(), &["report", "run"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("tasks.jsonl is not what the run was made with"), "{}", stderr(&output));
    // What is expected may get better.
    expect(&harness(dir.path(), &["compare", "a.yaml", "--out", "run"]), 0);
    change(&run, "tasks.jsonl", "\"verdicts\":[\"nonempty\"]", "\"verdicts\":[\"empty\"]");
    expect(&harness(dir.path(), &["report", "run"]), 10);
}

#[test]
fn that_something_is_wrong_matters_more_than_that_the_report_cannot_be_written() {
    let dir = tempfile::tempdir().unwrap();
    let run = run(dir.path());
    change(&run, "tasks.jsonl", "\"verdicts\":[\"nonempty\"]", "\"verdicts\":[\"empty\"]");
    // A directory where the table goes.
    fs::remove_file(run.join("results.csv")).unwrap();
    fs::create_dir_all(run.join("results.csv/in-the-way")).unwrap();
    let output = harness(dir.path(), &["report", "run"]);
    expect(&output, 10);
    assert!(stderr(&output).contains("there is no report"), "{}", stderr(&output));
}

#[test]
fn a_plan_that_cannot_be_meant_is_refused_before_it_fills_the_memory() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), small("[sfa-ranges-lazy]") + "repeats: 4294967295\n").unwrap();
    let output = harness(dir.path(), &["compare", "a.yaml", "--out", "run"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("take fewer"), "{}", stderr(&output));
    let many: String = (0..501).map(|n| format!("a{{{n}}}\n")).collect();
    fs::write(dir.path().join("many.txt"), many).unwrap();
    let text =
        "name: many\nalphabets: [ascii]\ntasks: [regexes: {file: many.txt}]\nstrategies: [classes-lazy]\n";
    fs::write(dir.path().join("b.yaml"), text).unwrap();
    let output = harness(dir.path(), &["compare", "b.yaml", "--out", "run"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("more than 500"), "{}", stderr(&output));
}
