//! Questions made smaller: planted faults of external programs and of strategies in process, from scripts,
//! runs and configurations. Only `an_outlier_that_waits` looks at the clock.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Output;

use crate::{expect, harness, stderr, stdout};

/// A program that does `text` with its script `$1`.
fn program(dir: &Path, name: &str, text: &str) {
    let path = dir.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A configuration with these programs of the folder as strategies, and others by name.
fn programs(names: &[&str], others: &[&str], tasks: &str) -> String {
    let mut text =
        format!("name: planted\nlimits: {{wall: 20s, memory: 1GiB}}\ntasks: [{tasks}]\nstrategies:\n");
    for name in names {
        let _ = writeln!(
            text,
            "  - {{family: external, as: {name}, options: {{command: [./{name}], version: [echo, '1']}}}}"
        );
    }
    for name in others {
        let _ = writeln!(text, "  - {name}");
    }
    text
}

/// A satisfiable script of about `bytes`, drawn from a seed: each assertion is about variables of its own,
/// and one in the middle has a call of `str.replace_all` on the word `needle`.
fn planted(bytes: usize, seed: u64) -> String {
    let mut state = seed;
    let mut below = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mut text = "(set-logic QF_SLIA)\n(set-info :source |made by a test|)\n".to_owned();
    let mut number = 0;
    let mut needle = false;
    while text.len() < bytes {
        number += 1;
        let (x, y, n) = (format!("first{number}"), format!("second{number}"), format!("length{number}"));
        let _ = writeln!(
            text,
            "(declare-fun {x} () String)\n(declare-const {y} String)\n(declare-const {n} Int)"
        );
        let word: String =
            (0..4 + below(6)).map(|_| char::from(b'a' + u8::try_from(below(26)).unwrap())).collect();
        let _ = match below(4) {
            _ if !needle && text.len() > bytes / 2 => {
                needle = true;
                writeln!(
                    text,
                    "(assert (let ((all (str.replace_all (str.++ {x} \"{word}\") \"needle\" {y}))) (or (= all {x}) (= {n} (str.len \
                     all)))))"
                )
            }
            0 => writeln!(
                text,
                "(assert (or (= {x} (str.++ {y} \"{word}\")) (and (> {n} {}) (= {y} {x}))))",
                below(9)
            ),
            1 => writeln!(
                text,
                "(assert (str.in_re {x} (re.++ (re.* (re.range \"a\" \"z\")) (str.to_re \"{word}\") ((_ re.loop 0 {}) re.allchar))))",
                1 + below(9)
            ),
            2 => writeln!(
                text,
                "(assert (! (=> (str.prefixof \"{word}\" {x}) (= {n} (str.indexof {x} \"{word}\" 0))) :named a{number}))"
            ),
            _ => writeln!(
                text,
                "(assert (not (= (str.substr {x} 0 {n}) (str.replace {y} \"{word}\" {x}) \"{word}{word}\")))"
            ),
        };
    }
    text + "(check-sat)\n(get-model)\n"
}

const NEEDLE: &str = "grep -q str.replace_all \"$1\" && grep -q needle \"$1\"";

fn shrink(dir: &Path, args: &[&str]) -> Output {
    harness(dir, &[&["shrink"], args].concat())
}

/// The command that a call said repeats it, run again.
fn repeated(dir: &Path, said: &str) -> Output {
    assert!(said.contains("\nrepeat: harness "), "{said}");
    let line = said.lines().find_map(|line| line.strip_prefix("repeat: harness ")).unwrap();
    let words = shlex::split(line).unwrap();
    harness(dir, &words.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_disagreement_of_external_programs_in_30_kb_goes_below_300_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    program(here, "says-sat", "echo sat");
    program(here, "lies", &format!("if {NEEDLE}; then echo unsat; else echo sat; fi"));
    fs::write(here.join("c.yaml"), programs(&["says-sat", "lies"], &[], "corpus: {name: smtlib/cases}"))
        .unwrap();
    let text = planted(30_000, 1);
    assert!(text.len() >= 30_000);
    fs::write(here.join("large.smt2"), &text).unwrap();
    let output = shrink(here, &["large.smt2", "--config", "c.yaml", "--out", "small.smt2"]);
    expect(&output, 0);
    let said = stderr(&output);
    assert!(said.contains("kept: a disagreement (says-sat, lies)"), "{said}");
    assert!(said.contains("shown 3 of 3 times"), "{said}");
    let small = fs::read_to_string(here.join("small.smt2")).unwrap();
    assert!(small.len() < 300 && small.contains("str.replace_all") && small.contains("needle"), "{small}");
    assert!(said.contains(&format!("to {} bytes", small.len())), "{said}");
    let again = repeated(here, &said);
    expect(&again, 10);
    assert!(stderr(&again).contains("kept: a disagreement"), "{}", stderr(&again));
}

#[cfg(feature = "z3")]
#[test]
fn a_wrong_verdict_is_kept_with_the_model_that_refutes_it() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    program(here, "lies", &format!("if {NEEDLE}; then echo unsat; else echo unknown; fi"));
    fs::write(here.join("c.yaml"), programs(&["lies"], &["z3"], "scripts: {files: [task.smt2]}")).unwrap();
    fs::write(here.join("task.smt2"), planted(3_000, 2)).unwrap();
    // From a run: the script, the limits and the strategies are those of the records.
    expect(&harness(here, &["compare", "c.yaml", "--out", "run", "--no-progress"]), 10);
    let output = shrink(here, &["run", "--out", "small.smt2", "--no-progress"]);
    expect(&output, 0);
    let said = stderr(&output);
    assert!(
        said.contains("lies: wrong (said unsat)") && said.contains("kept: a wrong verdict (lies, z3)"),
        "{said}"
    );
    assert!(!said.contains(" bytes after "), "no progress is shown: {said}");
    let small = fs::read_to_string(here.join("small.smt2")).unwrap();
    assert!(small.len() < 200 && small.contains("needle"), "{small}");
    expect(&repeated(here, &said), 10);
}

#[test]
fn a_crash_an_invalid_model_and_a_status_that_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let script = "(declare-const x String)(declare-const y Int)(push 1)(assert (= x \"unrelated\"))(check-sat)(pop 1)\
                  (assert (and (= (str.len x) y) (str.contains x \"needle\") (> y 3)))(check-sat)(get-model)";
    fs::write(here.join("p.smt2"), script).unwrap();
    program(here, "crashes", "grep -q needle \"$1\" && kill -SEGV $$; echo unknown");
    program(
        here,
        "no-model",
        "grep -q needle \"$1\" || { echo unknown; exit; }; echo sat; echo '((define-fun x () String \"a\"))'",
    );
    program(
        here,
        "refuses",
        "grep -q needle \"$1\" && { echo '(error \"line 12: no\")'; exit; }; echo unknown",
    );
    fs::write(
        here.join("c.yaml"),
        programs(&["crashes", "no-model", "refuses"], &[], "corpus: {name: smtlib/cases}"),
    )
    .unwrap();
    for (strategy, more, kept, status) in [
        ("crashes", &[][..], "kept: a crash (crashes)", 0),
        ("no-model", &[], "kept: a model that does not satisfy its problem (no-model)", 11),
        ("refuses", &[], "kept: an error (refuses)", 0),
        ("crashes", &["--while", "crashes=crash"], "kept: the statuses that were asked for (crashes)", 0),
    ] {
        let args =
            [&["p.smt2", "--config", "c.yaml", "--strategy", strategy, "--out", "small.smt2"], more].concat();
        let output = shrink(here, &args);
        expect(&output, 0);
        let said = stderr(&output);
        assert!(said.contains(kept), "{said}");
        let small = fs::read_to_string(here.join("small.smt2")).unwrap();
        assert!(small.len() < 120 && small.contains("needle"), "{strategy}: {small}");
        assert_eq!(small.matches("(check-sat)").count(), 1, "{small}");
        let again = repeated(here, &said);
        expect(&again, status);
        // The command names strategies in full.
        let kept = kept.split(" (").next().unwrap();
        assert!(stderr(&again).contains(&format!("{kept} (")), "{}", stderr(&again));
    }
}

#[test]
fn an_outlier_that_waits() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    program(here, "fast", "echo unsat");
    program(here, "slow", &format!("if {NEEDLE}; then sleep 10; fi; echo unsat"));
    fs::write(here.join("c.yaml"), programs(&["fast", "slow"], &[], "corpus: {name: smtlib/cases}")).unwrap();
    fs::write(here.join("p.smt2"), planted(1_500, 3)).unwrap();
    let outlier = ["--ratio", "2", "--slow", "slow", "--fast", "fast", "--measure", "wall"];
    let args =
        [&["p.smt2", "--config", "c.yaml", "--timeout", "6s", "--out", "small.smt2"][..], &outlier].concat();
    let output = shrink(here, &args);
    expect(&output, 0);
    let said = stderr(&output);
    assert!(said.contains("kept: an outlier (slow, fast)"), "{said}");
    let small = fs::read_to_string(here.join("small.smt2")).unwrap();
    assert!(small.len() < 300 && small.contains("needle"), "{small}");
    let again = repeated(here, &said);
    expect(&again, 0);
    assert!(stderr(&again).contains("kept: an outlier"), "{}", stderr(&again));
    // The other way round there is none.
    let output = shrink(
        here,
        &[
            "small.smt2",
            "--config",
            "c.yaml",
            "--ratio",
            "4",
            "--slow",
            "fast",
            "--fast",
            "slow",
            "--timeout",
            "1s",
        ],
    );
    expect(&output, 2);
    assert!(stderr(&output).contains("there is nothing to shrink"), "{}", stderr(&output));
    // One that has not answered has counted nothing.
    let counted = ["--ratio", "2", "--slow", "slow", "--fast", "fast", "--measure", "states"];
    let args = [&["small.smt2", "--config", "c.yaml", "--timeout", "1s"][..], &counted].concat();
    let output = shrink(here, &args);
    expect(&output, 2);
    let said = stderr(&output);
    assert!(
        said.contains("error: slow: it has no states, for it ended with timeout; --measure cpu"),
        "{said}"
    );
}

#[test]
fn a_pair_of_expressions_from_a_configuration() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    // A loop is what it is wrong about.
    program(here, "lies", "if grep -q re.loop \"$1\"; then echo unsat; else echo unknown; fi");
    fs::write(
        here.join("e.txt"),
        "A\t^\\w+([-+.]\\w+)*@[xyz]{2,7}(foo|bar|qux)+$\nB\t([^\\]]*z|\\d+)?\\s(one|two)\n",
    )
    .unwrap();
    let tasks = "regexes: {file: e.txt, dialect: java, operations: [difference], alphabets: [utf16]}";
    fs::write(here.join("c.yaml"), programs(&["lies"], &["sfa-ranges-lazy"], tasks)).unwrap();
    let output = shrink(here, &["c.yaml"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("say with --task ID"), "{}", stderr(&output));
    let id = stderr(&output).lines().map(str::trim).find(|line| line.ends_with("A-B")).unwrap().to_owned();
    // A name that a study cannot have is not its name.
    let output = shrink(here, &["c.yaml", "--task", &id, "--out", "My Pair.yaml"]);
    expect(&output, 0);
    let said = stderr(&output);
    assert!(said.contains("kept: a wrong verdict (lies, sfa-ranges-lazy)"), "{said}");
    let pair = fs::read_to_string(here.join("My Pair.txt")).unwrap();
    let patterns = patterns(&pair);
    assert_eq!(patterns.len(), 2, "{pair}");
    assert!(patterns.iter().map(|pattern| pattern.len()).sum::<usize>() < 8, "{pair}");
    assert!(patterns[0].contains('{'), "{pair}");
    let script = fs::read_to_string(here.join("My Pair.smt2")).unwrap();
    assert!(script.contains("(assert (str.in_re word ") && script.contains("re.loop"), "{script}");
    expect(&repeated(here, &said), 10);
    expect(&harness(here, &["compare", "My Pair.yaml", "--out", "run", "--no-progress"]), 10);
    // What was written is written over by the next result.
    expect(&shrink(here, &["c.yaml", "--task", &id, "--out", "My Pair.yaml"]), 0);
}

/// The patterns of a file of expressions.
fn patterns(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| Some(line.split_once('\t')?.1)).collect()
}

/// A configuration whose program is wrong about expressions with a blank, and its only task.
fn about_blanks(here: &Path) -> &'static str {
    let blank = r#"grep -q '(re.range " " " ")' "$1""#;
    program(here, "lies", &format!("if {blank}; then echo unsat; else echo unknown; fi"));
    fs::write(here.join("e.txt"), "A\tx y\nB\t.*\n").unwrap();
    let tasks = "regexes: {file: e.txt, dialect: java, operations: [product], alphabets: [ascii]}";
    fs::write(here.join("c.yaml"), programs(&["lies"], &["sfa-ranges-lazy"], tasks)).unwrap();
    "user/e/ascii/product/A-B"
}

#[test]
fn an_expression_may_be_a_blank() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let id = about_blanks(here);
    let output = shrink(here, &["c.yaml", "--task", id]);
    expect(&output, 0);
    assert_eq!(patterns(&stdout(&output))[0], " ", "{}", stdout(&output));
    let output = shrink(here, &["c.yaml", "--task", id, "--out", "pair.yaml"]);
    expect(&output, 0);
    let pair = fs::read_to_string(here.join("pair.txt")).unwrap();
    assert_eq!(patterns(&pair)[0], " ", "{pair}");
    expect(&repeated(here, &stderr(&output)), 10);
}

#[test]
fn nothing_is_written_over_or_searched_in_vain() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let id = about_blanks(here);
    fs::write(here.join("p.smt2"), "(declare-const x String)(assert (= x \" \"))(check-sat)").unwrap();
    for name in ["mine.txt", "ours.smt2", "his.yaml"] {
        fs::write(here.join(name), "mine\n").unwrap();
    }
    let held = || {
        let mut all: Vec<_> = fs::read_dir(here).unwrap().map(|entry| entry.unwrap().path()).collect();
        all.sort();
        all.into_iter().map(|path| (fs::read(&path).unwrap(), path)).collect::<Vec<_>>()
    };
    let before = held();
    let script = &["p.smt2", "--config", "c.yaml"][..];
    let pair = &["c.yaml", "--task", id][..];
    for (from, file, why) in [
        (script, "p.smt2", "p.smt2: would be written over, and is what is read"),
        (script, "./p.smt2", "is what is read"),
        (script, "no/p.smt2", "there is no folder"),
        (script, ".", "is a folder"),
        (script, "/dev/full", "is a folder or a device"),
        (script, "-", "without --out, the result is printed"),
        (script, "c.yaml", "the result is a script"),
        (pair, "c.yaml", "c.yaml: would be written over, and is what is read"),
        (pair, "e.yaml", "e.txt: would be written over, and is what is read"),
        (pair, "mine.yaml", "mine.txt: would be written over, and holds something"),
        (pair, "ours.yaml", "ours.smt2: would be written over, and holds something"),
        (pair, "his.yaml", "his.yaml: would be written over, and holds something"),
        (pair, "no/pair.yaml", "there is no folder"),
        (pair, "pair.smt2", "must be UTF-8 and end in .yaml"),
    ] {
        let output = shrink(here, &[from, &["--out", file]].concat());
        expect(&output, 2);
        let said = stderr(&output);
        assert!(said.contains(why) && !said.contains("kept:"), "{file}: {said}");
        assert!(held() == before, "{file}: something has changed");
    }
}

#[test]
fn what_cannot_be_written_in_the_end_is_printed() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    program(here, "crashes", &format!("rm -rf {}/gone; kill -SEGV $$", here.display()));
    fs::write(here.join("c.yaml"), programs(&["crashes"], &[], "corpus: {name: smtlib/cases}")).unwrap();
    fs::write(here.join("p.smt2"), "(declare-const x String)(assert (= x \"a\"))(check-sat)").unwrap();
    fs::create_dir(here.join("gone")).unwrap();
    let output = shrink(here, &["p.smt2", "--config", "c.yaml", "--out", "gone/small.smt2"]);
    expect(&output, 2);
    assert!(stdout(&output).contains("(check-sat)"), "{}", stdout(&output));
    assert!(stderr(&output).contains("error: gone/small.smt2: cannot be written"), "{}", stderr(&output));
}

#[test]
fn what_a_run_shows_may_be_over() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    program(here, "crashes", "kill -SEGV $$");
    program(here, "well", "echo unknown");
    fs::write(here.join("p.smt2"), "(declare-const x String)(assert (= x \"a\"))(check-sat)").unwrap();
    fs::write(here.join("c.yaml"), programs(&["well", "crashes"], &[], "scripts: {files: [p.smt2]}"))
        .unwrap();
    expect(&harness(here, &["compare", "c.yaml", "--out", "run", "--no-progress"]), 0);
    program(here, "crashes", "echo unknown");
    let output = shrink(here, &["run"]);
    expect(&output, 2);
    let said = stderr(&output);
    assert!(said.contains("the records show a crash (crashes), which is not shown when run again"), "{said}");
}

#[test]
fn what_cannot_shrink_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("p.smt2"), "(declare-const x String)(assert (= x \"a\"))(check-sat)").unwrap();
    fs::write(here.join("bad.smt2"), "(assert x)(check-sat)").unwrap();
    for (args, why) in [
        (&["p.smt2"][..], "no strategy takes part"),
        (&["p.smt2", "--strategy", "brute-farce"], "did you mean 'brute-force'?"),
        (&["p.smt2", "--strategy", "brute-force"], "there is nothing to shrink: the strategy shows no fault"),
        (&["p.smt2", "--while", "brute-force=crash"], "--while asks for brute-force=crash, but it is sat"),
        (
            &["p.smt2", "--while", "brute-force=wrong"],
            "a verdict is wrong only beside a strategy with a model",
        ),
        (&["p.smt2", "--while", "brute-force=crsh"], "did you mean 'crash'?"),
        (&["p.smt2", "--ratio", "3", "--slow", "brute-force", "--fast", "brute-force"], "the same strategy"),
        (&["p.smt2", "--ratio", "3"], "--slow"),
        (
            &["p.smt2", "--ratio", "3", "--slow", "a", "--fast", "b", "--measure", "states", "--least", "x"],
            "--least: 'x' is no count",
        ),
        (&["p.smt2", "--strategy", "brute-force", "--task", "t"], "p.smt2 is a script"),
        (&["absent.smt2", "--strategy", "brute-force"], "absent.smt2: cannot be read"),
        (&[".", "--strategy", "brute-force"], "no run here (there is no run.json in it)"),
        (&["bad.smt2", "--strategy", "brute-force"], "error: bad.smt2:1:9: "),
    ] {
        let output = shrink(here, args);
        expect(&output, 2);
        assert!(stderr(&output).contains(why), "{args:?}: {}", stderr(&output));
    }
    let output = shrink(here, &["p.smt2", "--strategy", "brute-force", "--look"]);
    expect(&output, 0);
    assert!(stderr(&output).contains("no fault is shown"), "{}", stderr(&output));
}
