//! Studies of context-free grammars: files in, tasks out, answers judged.

use std::fs;

use crate::{expect, harness, results, stderr, stdout};

const CONFIG: &str = "name: g\nlimits: {wall: 20s, memory: 1GiB}\nalphabets: [ascii]\non_bad_task: skip\ntasks:\n  \
     - grammars: {files: ['*.cfg'], longest: 6, shortest: 1}\nstrategies: [STRATEGIES]\n";

fn folder(strategies: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("ab.cfg", "S : \"a\" S \"b\" ; : \"ab\" ;"),
        ("even.cfg", "S : L L S ; : ; L : \"a\" ; : \"b\" ;"),
        ("only.cfg", "S : \"b\" S ; : \"b\" ;"),
        ("damaged.cfg", "S : \"a\" ;\nS \"b\" ;"),
    ] {
        fs::write(dir.path().join(name), text).unwrap();
    }
    fs::write(dir.path().join("g.yaml"), CONFIG.replace("STRATEGIES", strategies)).unwrap();
    dir
}

#[test]
fn each_pair_is_a_task_and_all_strategies_agree() {
    let dir = folder("cfg, hampi-sat, strsolve, brute-force");
    let output = harness(dir.path(), &["compare", "g.yaml", "--out", "run"]);
    expect(&output, 0);
    let said = stdout(&output) + &stderr(&output);
    assert!(said.contains("damaged.cfg:2:3: expected ':' after the non-terminal of a rule"), "{said}");
    let rows = results(&dir.path().join("run"));
    let status = |task: &str, strategy: &str| {
        let id = format!("grammars/ascii/{task}/len6");
        rows.iter().find(|row| row[0] == id && row[3] == strategy).unwrap()[5].clone()
    };
    for strategy in ["cfg", "hampi-sat", "strsolve"] {
        assert_eq!(status("ab+even", strategy), "nonempty", "{strategy}");
        assert_eq!(status("ab+only", strategy), "empty", "{strategy}");
        assert_eq!(status("even+only", strategy), "nonempty", "{strategy}");
    }
    assert_eq!(status("ab+even", "brute-force"), "unsupported");
}

#[test]
fn tasks_are_written_as_files() {
    let dir = folder("cfg");
    expect(&harness(dir.path(), &["generate", "g.yaml", "--out", "tasks"]), 0);
    let table = fs::read_to_string(dir.path().join("tasks/tasks.tsv")).unwrap();
    let row = table.lines().find(|line| line.starts_with("grammars/ascii/ab+only/len6\t")).unwrap();
    let cells: Vec<&str> = row.split('\t').collect();
    assert_eq!(cells[3], "grammars 1..6");
    assert_eq!(cells[4], "grammars/ascii/ab+only/len6-1.cfg");
    let second = fs::read_to_string(dir.path().join("tasks").join(cells[5])).unwrap();
    assert_eq!(second, "S : \"b\" S ; : \"b\" ;");
}

/// The judge finds out who lies, without a word of any other strategy.
#[cfg(feature = "misbehaving")]
#[test]
fn a_false_word_is_refuted() {
    let dir = folder("test-lies, test-lies-empty, cfg");
    let output = harness(dir.path(), &["compare", "g.yaml", "--out", "run"]);
    expect(&output, 10);
    let rows = results(&dir.path().join("run"));
    let statuses = |strategy: &str| -> Vec<&str> {
        rows.iter().filter(|row| row[3] == strategy).map(|row| row[5].as_str()).collect()
    };
    assert!(statuses("test-lies").iter().all(|status| ["wrong", "invalid-model"].contains(status)));
    assert_eq!(statuses("test-lies-empty").iter().filter(|status| **status == "wrong").count(), 2);
}
