//! Strategies that misbehave on purpose: the run goes on, each gets its status, and the exit status tells.

use std::collections::BTreeMap;
use std::fs;

use crate::{expect, harness, planned, records, results, small, stdout};

#[test]
fn each_gets_its_status_and_the_run_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let names = "[sfa-ranges-lazy, test-lies-empty, test-lies, test-sleeps, test-allocates, test-asks, test-aborts, \
                 test-panics, test-exits, test-refuses, test-prints]";
    let text = small(names)
        .replace("{wall: 10s, memory: 1GiB}", "{wall: 3s, memory: 64MiB}")
        .replace("[A3, A4]", "[A3, A4], operations: [difference]");
    fs::write(dir.path().join("a.yaml"), text).unwrap();
    let output = harness(dir.path(), &["compare", "a.yaml", "--out", "run"]);
    expect(&output, 10);
    let run = dir.path().join("run");
    assert_eq!(records(&run).len(), planned(&run));

    let mut statuses: BTreeMap<(String, String), String> = BTreeMap::new();
    for row in results(&run) {
        statuses.insert((row[3].clone(), row[0].clone()), row[5].clone());
    }
    // A3 minus A4 has words; A3 minus A3 has none.
    let of = |strategy: &str, pair: &str| {
        statuses[&(strategy.to_owned(), format!("regexes/li2009/ascii/difference/{pair}"))].as_str()
    };
    assert_eq!(of("sfa-ranges-lazy", "A3-A4"), "nonempty");
    assert_eq!(of("test-lies-empty", "A3-A4"), "wrong");
    assert!(["wrong", "invalid-model"].contains(&of("test-lies", "A3-A3")), "{}", of("test-lies", "A3-A3"));
    for (strategy, status) in [
        ("test-sleeps", "timeout"),
        ("test-allocates", "memout"),
        ("test-asks", "memout"),
        ("test-aborts", "crash"),
        ("test-exits", "crash"),
        ("test-refuses", "unsupported"),
    ] {
        for pair in ["A3-A3", "A3-A4", "A4-A3", "A4-A4"] {
            assert_eq!(of(strategy, pair), status, "{strategy} on {pair}");
        }
    }
    let said = stdout(&output);
    assert!(said.starts_with("PROBLEMS FOUND: "), "{said}");
    assert!(said.contains("test-lies-empty"), "{said}");
    let summary = fs::read_to_string(run.join("summary.md")).unwrap();
    let fault = summary.find("test-lies-empty").unwrap();
    let table = summary.find("test-sleeps").unwrap();
    assert!(fault < table, "faults come first");
    expect(&harness(dir.path(), &["report", "run"]), 10);
}

#[test]
fn time_outs_are_no_fault() {
    let dir = tempfile::tempdir().unwrap();
    let text = small("[sfa-ranges-lazy, test-sleeps]").replace("wall: 10s", "wall: 200ms");
    fs::write(dir.path().join("a.yaml"), text.replace("[A3, A4]", "[A3]")).unwrap();
    let output = harness(dir.path(), &["compare", "a.yaml", "--out", "run"]);
    expect(&output, 0);
    assert!(stdout(&output).contains("timeout"), "{}", stdout(&output));
}
