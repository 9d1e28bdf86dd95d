//! Studies that cannot be run: the status, the words, and that nothing is left behind.

use std::fs;
use std::path::Path;

use crate::{expect, harness, small, stderr, stdout};

/// Runs the configuration `text` and gives what is said on standard error; the status must be 2.
#[track_caller]
fn refused(dir: &Path, text: &str) -> String {
    fs::write(dir.join("a.yaml"), text).unwrap();
    let output = harness(dir, &["compare", "a.yaml", "--out", "run"]);
    expect(&output, 2);
    assert_eq!(stdout(&output), "");
    assert!(!dir.join("run").exists(), "nothing may be left behind");
    let said = stderr(&output);
    assert!(said.starts_with("error: "), "{said}");
    said
}

#[test]
fn faults_in_the_file_are_pointed_at() {
    let dir = tempfile::tempdir().unwrap();
    let good = small("[sfa-bdd-lazy]");
    assert_eq!(
        refused(dir.path(), &good.replace("[sfa-bdd-lazy]", "[sfa-bbd-lazy]")),
        "error: a.yaml:6:14: there is no strategy 'sfa-bbd-lazy': did you mean 'sfa-bdd-lazy'?\n  \
         6 | strategies: [sfa-bbd-lazy]\n    |              ^\n"
    );
    assert!(refused(dir.path(), &good.replace("name: small", "nme: small")).contains("did you mean 'name'?"));
    assert!(
        refused(dir.path(), &good.replace("li2009", "li2008")).contains("a.yaml:5:20: there is no corpus")
    );
    let unknown = refused(dir.path(), &good.replace("[A3, A4]", "[A3, A44]"));
    assert!(unknown.contains("a.yaml:5:5: ") && unknown.contains("no expression 'A44'"), "{unknown}");
    let missing = harness(dir.path(), &["compare", "no.yaml", "--out", "run"]);
    expect(&missing, 2);
    assert!(stderr(&missing).starts_with("error: no.yaml: the configuration cannot be read: "));
}

#[test]
fn strategies_of_another_build_say_how_to_get_them() {
    let dir = tempfile::tempdir().unwrap();
    if !cfg!(feature = "peers") {
        let said = refused(dir.path(), &small("['peer-*']"));
        assert!(said.contains("not in this build") && said.contains("--features peers"), "{said}");
    }
    if !cfg!(feature = "z3") {
        for name in ["[hybrid]", "[{family: graph-automata}]", "[parray-mbqi]", "[sfa-predicate-lazy]"] {
            let said = refused(dir.path(), &small(name));
            assert!(said.contains("not in this build") && said.contains("--features z3"), "{said}");
        }
    }
}

#[test]
fn the_same_task_twice() {
    let dir = tempfile::tempdir().unwrap();
    let text = small("[sfa-bdd-lazy]")
        .replace("strategies:", "  - corpus: {name: regexes/li2009, include: [A4]}\nstrategies:");
    let said = refused(dir.path(), &text);
    assert!(said.starts_with("error: a.yaml:6:5: the task 'regexes/li2009/ascii/product/A4-A4'"), "{said}");
    assert!(said.contains("from the entry at 5:5"), "{said}");
}

fn with_regexes(policy: &str) -> String {
    format!(
        "name: mine\nalphabets: [ascii]\ntasks:\n  - regexes: {{file: mine.txt, dialect: java}}\nstrategies: \
         [sfa-ranges-lazy]\non_bad_task: {policy}\n"
    )
}

#[test]
fn a_file_of_expressions_that_is_missing_or_bad() {
    let dir = tempfile::tempdir().unwrap();
    let said = refused(dir.path(), &with_regexes("stop"));
    assert!(
        said.starts_with("error: a.yaml:4:21: mine.txt: the file of expressions cannot be read"),
        "{said}"
    );

    fs::write(dir.path().join("mine.txt"), "a+\nback\t(b)\\1\nc+\n").unwrap();
    let said = refused(dir.path(), &with_regexes("stop"));
    assert!(said.starts_with("error: mine.txt:2:"), "{said}");
    assert!(said.contains("'back'") && said.contains("on_bad_task: skip"), "{said}");
}

#[test]
fn bad_expressions_can_be_skipped() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("mine.txt"), "a+\nback\t(b)\\1\nc+\n").unwrap();
    fs::write(dir.path().join("a.yaml"), with_regexes("skip")).unwrap();
    let output = harness(dir.path(), &["compare", "a.yaml", "--out", "run", "--no-progress"]);
    expect(&output, 0);
    assert!(stderr(&output).starts_with("left out: mine.txt:2:"), "{}", stderr(&output));
    assert!(stdout(&output).contains("mine: 7 of 7 records"), "{}", stdout(&output));
    let summary = fs::read_to_string(dir.path().join("run/summary.md")).unwrap();
    assert!(summary.contains("mine.txt:2:"), "the summary must tell what was left out");

    fs::write(dir.path().join("mine.txt"), "(b)\\1\n").unwrap();
    let none = harness(dir.path(), &["compare", "a.yaml", "--out", "other"]);
    expect(&none, 2);
    assert!(stderr(&none).contains("No task is left"), "{}", stderr(&none));
}

#[test]
fn a_list_where_a_kind_of_tasks_is_wanted() {
    let dir = tempfile::tempdir().unwrap();
    let text = "name: a\nlimits: {wall: 10s, memory: 1GiB}\ntasks:\n  - [[a]]\nstrategies: [brute-force]\n";
    fs::write(dir.path().join("a.yaml"), text).unwrap();
    let output = harness(dir.path(), &["compare", "a.yaml", "--out", "run"]);
    expect(&output, 2);
    let said = stderr(&output);
    assert!(
        said.contains("a.yaml:4:5: expected a kind of tasks and what it has, such as 'corpus: {name: "),
        "{said}"
    );
}

#[test]
fn what_controls_a_terminal_is_spelled_out_in_errors() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("e.txt"), "a\u{1b}[31mb\tx\n").unwrap();
    let text = "name: a\nlimits: {wall: 10s, memory: 1GiB}\nalphabets: [ascii]\ntasks:\n  - regexes: {file: e.txt}\n\
                strategies: [classes-lazy]\n";
    fs::write(dir.path().join("a.yaml"), text).unwrap();
    let output = harness(dir.path(), &["compare", "a.yaml", "--out", "run"]);
    expect(&output, 2);
    assert!(
        stderr(&output).contains("a\\u{1b}[31mb") && !stderr(&output).contains('\u{1b}'),
        "{}",
        stderr(&output)
    );
}
