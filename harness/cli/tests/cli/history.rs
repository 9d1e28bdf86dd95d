//! Runs over time: added, listed, shown, and refused where a file cannot be used.

use std::fs;
use std::path::Path;

use crate::{expect, harness, small, stderr, stdout};

const COMMITS: [&str; 3] = [
    "1111111111111111111111111111111111111111",
    "2222222222222222222222222222222222222222",
    "3333333333333333333333333333333333333333",
];

/// Runs a small study so many times and adds each run under a commit of its own.
fn runs(dir: &Path, count: usize) {
    fs::write(dir.join("small.yaml"), small("[classes-lazy, sfa-ranges-lazy]")).unwrap();
    for (number, commit) in COMMITS.iter().enumerate().take(count) {
        let run = format!("run-{number}");
        expect(&harness(dir, &["compare", "small.yaml", "--out", &run, "--no-progress"]), 0);
        let added = harness(dir, &["history", "add", &run, "--commit", commit]);
        expect(&added, 0);
        assert!(
            stdout(&added).contains(&format!("run #{} of commit {commit}", number + 1)),
            "{}",
            stdout(&added)
        );
    }
}

#[test]
fn from_runs_to_a_picture() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    runs(dir, 3);
    let again = harness(dir, &["history", "add", "run-1"]);
    expect(&again, 0);
    assert!(stdout(&again).contains("is there already"), "{}", stdout(&again));

    let list = harness(dir, &["history", "list"]);
    expect(&list, 0);
    let text = stdout(&list);
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(text.lines().nth(1).unwrap().starts_with("#1") && text.contains(" worker"), "{text}");

    for selector in ["latest", "3333", "#3"] {
        let show = harness(dir, &["history", "show", selector]);
        expect(&show, 0);
        assert!(stdout(&show).starts_with("run #3: small\n"), "{}", stdout(&show));
        assert!(stdout(&show).contains("classes-lazy"), "{}", stdout(&show));
    }

    let trend = harness(dir, &["history", "trend", "--out", "trend"]);
    expect(&trend, 0);
    let text = stdout(&trend);
    assert!(text.contains("3 runs, from 111111111 to 333333333"), "{text}");
    // Three runs say nothing of a step, whatever the machine did.
    assert!(text.contains("No strategy takes a step."), "{text}");
    for file in [
        "plots/trend.svg",
        "plots/trend.png",
        "plots/trend.csv",
        "tables/trend.tex",
        "tables/steps.csv",
        "trend.md",
    ] {
        assert!(dir.join("trend").join(file).is_file(), "{file}");
    }
    // Fewer records than there are take nothing away unasked.
    let records = fs::read_to_string(dir.join("run-2/records.jsonl")).unwrap();
    let fewer: String = records.lines().take(3).map(|line| format!("{line}\n")).collect();
    fs::write(dir.join("run-2/records.jsonl"), fewer).unwrap();
    let less = harness(dir, &["history", "add", "run-2"]);
    expect(&less, 2);
    assert!(stderr(&less).contains("run #3") && stderr(&less).contains("--replace"), "{}", stderr(&less));
    expect(&harness(dir, &["history", "add", "run-2", "--replace"]), 0);
    fs::write(dir.join("run-2/records.jsonl"), records).unwrap();
    expect(&harness(dir, &["history", "add", "run-2"]), 0);

    let before = fs::read(dir.join("trend/plots/trend.svg")).unwrap();
    expect(&harness(dir, &["history", "trend", "--out", "trend"]), 0);
    assert_eq!(fs::read(dir.join("trend/plots/trend.svg")).unwrap(), before);

    let one = harness(dir, &["history", "trend", "--strategy", "classes-lazy", "--metric", "solve"]);
    expect(&one, 0);
    assert!(!stdout(&one).contains("sfa-ranges-lazy"), "{}", stdout(&one));
    let none = harness(dir, &["history", "trend", "--strategy", "no-such"]);
    expect(&none, 2);
    assert!(stderr(&none).contains("no-such"), "{}", stderr(&none));
}

#[test]
fn what_cannot_be_used_is_named_with_the_way_out() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let said = |args: &[&str], words: &[&str]| {
        let output = harness(dir, args);
        expect(&output, 2);
        for word in words {
            assert!(stderr(&output).contains(word), "{args:?}: {}", stderr(&output));
        }
    };
    said(&["history", "list"], &["history.sqlite", "history add"]);
    said(&["history", "add", "nowhere"], &["nowhere"]);
    assert!(!dir.join("history.sqlite").exists(), "nothing is made for nothing");

    runs(dir, 1);
    said(&["history", "show", "4444"], &["4444", "history list"]);
    said(&["history", "show", "#0"], &["#0"]);
    said(&["history", "add", "run-0", "--db", ":memory:"], &[":memory:", "no file"]);
    said(&["history", "list", "--db", ":memory:"], &[":memory:", "no file"]);
    said(&["history", "add", "run-0", "--commit", "a b"], &["a b"]);
    said(&["history", "trend", "--config", "other"], &["other"]);
    fs::write(dir.join("bad.sqlite"), "no database at all, ".repeat(100)).unwrap();
    said(&["history", "list", "--db", "bad.sqlite"], &["bad.sqlite", "is no history", "--db"]);

    // Damaged lines are named; what can be read is added.
    let records = dir.join("run-0/records.jsonl");
    let text = fs::read_to_string(&records).unwrap();
    fs::write(&records, format!("{text}{{\"torn")).unwrap();
    let added = harness(dir, &["history", "add", "run-0", "--db", "other.sqlite"]);
    expect(&added, 0);
    let line = text.lines().count() + 1;
    assert!(stderr(&added).contains(&format!("line {line}")), "{}", stderr(&added));
    fs::write(&records, "torn\n").unwrap();
    said(&["history", "add", "run-0", "--db", "third.sqlite"], &["run-0", "line 1"]);
}

#[test]
fn a_name_that_no_run_has_says_how_runs_are_named() {
    let dir = tempfile::tempdir().unwrap();
    runs(dir.path(), 1);
    for (name, why) in [("1", "the run with that number is '#1'"), ("abc", "named by at least 4 letters")] {
        let output = harness(dir.path(), &["history", "show", name]);
        expect(&output, 2);
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
    let trend = harness(dir.path(), &["history", "trend"]);
    expect(&trend, 0);
    let said = stdout(&trend);
    assert!(said.contains("It takes some 10 runs to tell one from chance; here are 1."), "{said}");
}
