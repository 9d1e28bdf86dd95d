//! `solve` of several files and strategies: which files are meant, how answers are named, what runs took.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use crate::{command, expect, harness, stderr, stdout};

const SAT: &str = "(declare-const s String)(assert (= s \"a\"))(check-sat)";
const UNSAT: &str = "(assert false)(check-sat)";
const GRAMMAR: &str = "S : \"a\" S \"b\" ; : \"ab\" ;";

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn fed(dir: &Path, args: &[&str], input: &str) -> std::process::Output {
    let mut child = command(dir, args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn folders_patterns_and_standard_input() {
    let dir = folder(&[("p/a.smt2", SAT), ("p/deep/b.smt2", UNSAT), ("p/c.txt", SAT), ("q[1].smt2", UNSAT)]);
    let brute = ["--strategy", "brute-force"];
    let of = |files: &[&str]| harness(dir.path(), &[&["solve"], files, &brute].concat());
    let whole = of(&["p"]);
    expect(&whole, 0);
    let both = "; p/a.smt2: brute-force\nsat\n; p/deep/b.smt2: brute-force\nunsat\n";
    assert_eq!(stdout(&whole), both);
    assert_eq!(stdout(&of(&["p/**/*.smt2"])), both);
    // Named twice, taken once; and what exists is meant as it stands.
    assert_eq!(stdout(&of(&["p/a.smt2", "p", "p/a.smt2"])), both);
    assert_eq!(stdout(&of(&["q[1].smt2"])), "unsat\n");
    let nothing = of(&["p/*.hmp"]);
    expect(&nothing, 2);
    assert!(stderr(&nothing).contains("p/*.hmp: no file has such a name"), "{}", stderr(&nothing));
    assert_eq!(stdout(&fed(dir.path(), &["solve", "-", "--strategy", "brute-force"], SAT)), "sat\n");
    let twice = fed(dir.path(), &["solve", "-", "-", "--strategy", "brute-force"], SAT);
    expect(&twice, 2);
    assert!(stderr(&twice).contains("'-' is there twice"), "{}", stderr(&twice));
}

#[test]
fn what_is_wrong_with_one_file_leaves_the_others() {
    let dir = folder(&[("a.smt2", SAT), ("b.smt2", "(assert"), ("c.smt2", UNSAT)]);
    let output = harness(
        dir.path(),
        &["solve", "absent.smt2", "a.smt2", "b.smt2", "c.smt2", "--strategy", "brute-force"],
    );
    expect(&output, 2);
    let said = stdout(&output);
    assert!(said.starts_with("; a.smt2: brute-force\nsat\n(error \"b.smt2: line 1 column "), "{said}");
    assert!(said.ends_with("; c.smt2: brute-force\nunsat\n"), "{said}");
    assert!(stderr(&output).starts_with("error: absent.smt2: cannot be read: "), "{}", stderr(&output));
}

#[test]
fn several_strategies_are_named() {
    let dir = folder(&[("a.smt2", SAT)]);
    let output = harness(
        dir.path(),
        &["solve", "a.smt2", "--model", "--strategy", "brute-force*", "--strategy", "brute-force"],
    );
    expect(&output, 0);
    let model = "sat\n(\n  (define-fun s () String \"a\")\n)\n";
    assert_eq!(stdout(&output), format!("; a.smt2: brute-force\n{model}; a.smt2: brute-force-8\n{model}"));
    let unknown = harness(dir.path(), &["solve", "a.smt2", "--strategy", "brute-farce*"]);
    expect(&unknown, 2);
    assert!(stderr(&unknown).contains("there is no strategy 'brute-farce*'"), "{}", stderr(&unknown));
}

#[test]
fn what_runs_took_is_told_in_comments() {
    let dir = folder(&[("a.smt2", SAT), ("b.smt2", UNSAT)]);
    let output = harness(dir.path(), &["solve", "a.smt2", "--model", "--stats", "--strategy", "brute-force"]);
    expect(&output, 0);
    let said = stdout(&output);
    for part in
        ["sat\n(", "; wall ", ", cpu ", ", peak memory ", "; phase  ", "prepare ", "solve ", "; count  "]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    // What is printed is still what 'check' reads.
    let checked = fed(dir.path(), &["check", "a.smt2", "-"], &said);
    expect(&checked, 0);
    let output = harness(
        dir.path(),
        &["solve", "a.smt2", "b.smt2", "--stats", "--strategy", "brute-force", "--strategy", "brute-force-8"],
    );
    let said = stdout(&output);
    let sums: Vec<Vec<&str>> =
        said.lines().rev().take(3).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(sums[2][..4], [";", "strategy", "sat", "unsat"]);
    assert_eq!(sums[1][..6], [";", "brute-force", "1", "1", "0", "0"]);
    assert_eq!(sums[0][..6], [";", "brute-force-8", "1", "1", "0", "0"]);
}

#[test]
fn grammars_and_systems() {
    let system = "language { x; } x < [q1 q2 d: q1 -> q2 on {'a'} ] ; solve();";
    let dir =
        folder(&[("g.cfg", GRAMMAR), ("none.cfg", "S : \"a\" S ;"), ("r.dprle", system), ("g.txt", GRAMMAR)]);
    let output = harness(dir.path(), &["solve", "g.cfg", "none.cfg", "--strategy", "cfg", "--longest", "4"]);
    expect(&output, 0);
    let word = "sat\n(\n  (define-fun word () String \"ab\")\n)\n";
    assert_eq!(stdout(&output), format!("; g.cfg: cfg\n{word}; none.cfg: cfg\nunsat\n"));
    let output = harness(dir.path(), &["solve", "g.cfg", "--strategy", "cfg", "--longest", "1"]);
    assert_eq!(stdout(&output), "unsat\n");
    // A file of another kind, taken for a script, says so and what to do.
    let output = harness(dir.path(), &["solve", "g.txt", "--strategy", "cfg"]);
    expect(&output, 2);
    let said = stdout(&output);
    assert!(said.starts_with("(error \"g.txt: line 1 column 3: "), "{said}");
    assert!(said.contains("no SMT-LIB script begins like this") && said.contains("--format"), "{said}");
    let output = harness(dir.path(), &["solve", "g.txt", "--strategy", "cfg", "--format", "cfg"]);
    assert_eq!(stdout(&output), word);
    let bad = fed(dir.path(), &["solve", "-", "--strategy", "cfg", "--format", "cfg"], "S \"a\"");
    expect(&bad, 2);
    assert!(stdout(&bad).starts_with("(error \"standard input: line 1"), "{}", stdout(&bad));
}

#[test]
fn what_generators_and_solvers_print_around_it() {
    let marked = format!("\u{feff}{SAT}(echo \"x\")(get-info :name)(echo \"y\")");
    let dir = folder(&[("a.smt2", &marked)]);
    let output = harness(dir.path(), &["solve", "a.smt2", "--strategy", "brute-force", "--model"]);
    expect(&output, 0);
    assert!(stdout(&output).starts_with("sat\n"), "{}", stdout(&output));
    assert_eq!(stderr(&output), "note: a.smt2: not answered here: echo, get-info\n");
    let printed = format!("(error \"no such option\")\n{}", stdout(&output));
    let checked = fed(dir.path(), &["check", "a.smt2", "-"], &printed);
    expect(&checked, 0);
    assert!(
        stderr(&checked).contains("before the answers: (error \"no such option\")"),
        "{}",
        stderr(&checked)
    );
}

/// Models are made short where they are printed.
#[test]
#[cfg(feature = "z3")]
fn models_of_arrays_are_short() {
    let script = "(declare-const s String)(declare-const t String)(assert (str.contains s \"xy\"))\n\
                  (assert (= (str.len t) (+ 3 (str.len s))))(assert (str.prefixof \"ab\" t))(check-sat)";
    let dir = folder(&[("a.smt2", script)]);
    for strategy in ["parray-qelim", "parray-qelim-iterative", "parray-qelim-guided", "parray+automata+qelim"]
    {
        let output = harness(dir.path(), &["solve", "a.smt2", "--model", "--strategy", strategy]);
        expect(&output, 0);
        let said = stdout(&output);
        let length = |name: &str| {
            let line = said.lines().find(|line| line.contains(&format!("define-fun {name} "))).unwrap();
            line.split('"').nth(1).unwrap().chars().count()
        };
        // An escape has a few characters more.
        assert!(said.starts_with("sat") && length("s") <= 8 && length("t") <= 40, "{strategy}: {said}");
    }
}

/// One that lies that there is no solution is found out by another's.
#[cfg(feature = "misbehaving")]
#[test]
fn contradictions_are_told() {
    let dir = folder(&[("a.smt2", SAT)]);
    let output = harness(
        dir.path(),
        &["solve", "a.smt2", "--strategy", "brute-force", "--strategy", "test-lies-empty"],
    );
    expect(&output, 10);
    assert!(
        stderr(&output).contains(
            "error: a.smt2: of the check-sat of line 1 brute-force says sat, and the solution is checked; \
             test-lies-empty says unsat, which is wrong"
        ),
        "{}",
        stderr(&output)
    );
}
