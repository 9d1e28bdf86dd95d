//! Which scripts a study takes: paths, globs, exclusions, links, names of any kind.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::{expect, harness, records, stderr};

const SCRIPT: &str = "(declare-const w String)\n(assert (= (str.len w) 2))\n(check-sat)\n";

/// A folder with scripts of these names.
fn scripts(names: &[&[u8]]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in names {
        let path = dir.path().join(OsStr::from_bytes(name));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, SCRIPT).unwrap();
    }
    dir
}

/// Runs the scripts that `source` names; the status must be `status`. What is said on standard error, and the
/// tasks.
#[track_caller]
fn run(dir: &Path, source: &str, status: i32) -> (String, Vec<String>) {
    let text = format!("name: s\ntasks:\n  - scripts: {source}\nstrategies: [brute-force]\n");
    fs::write(dir.join("c.yaml"), text).unwrap();
    let _ = fs::remove_dir_all(dir.join("run"));
    let output = harness(dir, &["compare", "c.yaml", "--out", "run"]);
    expect(&output, status);
    if status != 0 {
        return (stderr(&output), Vec::new());
    }
    let task = |record: &serde_json::Value| record["task"].as_str().unwrap().to_owned();
    let mut tasks: Vec<String> = records(&dir.join("run")).iter().map(task).collect();
    tasks.sort();
    (stderr(&output), tasks)
}

#[test]
fn what_is_excluded_is_not_run() {
    let dir = scripts(&[b"s/keep.smt2", b"s/drop.smt2", b"s/old/gone.smt2"]);
    let (_, tasks) = run(dir.path(), "{files: ['s/**/*.smt2'], exclude: ['dro?.smt2', s/old]}", 0);
    assert_eq!(tasks, ["scripts/unicode/s/keep"]);
    let (said, _) = run(dir.path(), "{files: [s], exclude: [gone.smt2, keeep.smt2]}", 2);
    assert!(said.starts_with("error: c.yaml:3:48: keeep.smt2: excludes nothing"), "{said}");
    assert!(said.contains("did you mean 'keep.smt2'?"), "{said}");
    let (said, _) = run(dir.path(), "{files: [s], exclude: ['s/**']}", 2);
    assert!(said.contains("c.yaml:3:5: this entry makes no task"), "{said}");
}

#[test]
fn links_and_odd_names_are_told_or_run_once() {
    let dir = scripts(&[b"s/a.smt2", b"s/sub/b.smt2", b"s/\xE9\xE8.smt2"]);
    let link = |target: &str, name: &str| symlink(target, dir.path().join(name)).unwrap();
    link("a.smt2", "s/also-a.smt2");
    link("sub", "s/also-sub");
    let all = ["scripts/unicode/s/__", "scripts/unicode/s/a", "scripts/unicode/s/sub/b"];
    assert_eq!(run(dir.path(), "{files: ['s/*.smt2', s, 's/*/*.smt2']}", 0).1, all);
    link("gone", "s/gone.smt2");
    link("..", "s/sub/up");
    let (said, _) = run(dir.path(), "{files: [s]}", 2);
    assert!(said.contains("s/gone.smt2: the link leads nowhere: there is no 'gone'"), "{said}");
    assert!(said.contains("s/sub/up: the link leads back to a folder that it is in"), "{said}");
    assert!(said.contains("on_bad_task: skip"), "{said}");
    let (said, tasks) = run(dir.path(), "{files: [s]}\non_bad_task: skip", 0);
    assert_eq!(tasks, all, "{said}");
    assert_eq!(run(dir.path(), "{files: [s], exclude: [gone.smt2, up]}", 0).1, all);
}
