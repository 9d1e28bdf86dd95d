//! Single problems: solved, checked and lowered, as an SMT solver's users meet it.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::{command, expect, harness, stderr, stdout};

/// Two queries: a satisfiable one with everything asked of it, then an unsatisfiable one.
const PROBLEM: &str = "\
(set-logic QF_SLIA)
(declare-const s String)
(declare-const n Int)
(assert (str.prefixof \"a\" s))
(assert (= n (str.len s)))
(assert (= s \"ab\"))
(check-sat)
(get-model)
(get-value (n (str.++ s \"\"\"c\")))
(assert (> n 3))
(check-sat)
(get-model)
";

fn solve(dir: &Path, text: &str, args: &[&str]) -> Output {
    fs::write(dir.join("p.smt2"), text).unwrap();
    harness(dir, &[&["solve", "p.smt2"], args].concat())
}

fn check(dir: &Path, args: &[&str], input: &str) -> Output {
    let mut child = command(dir, &[&["check"], args].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// Strategies that decide [`PROBLEM`], of each family that this build has.
fn strategies() -> &'static [&'static str] {
    if cfg!(feature = "z3") {
        &["brute-force", "z3", "graph-automata-ranges", "graph-automata-bdd", "graph-bitvector"]
    } else {
        &["brute-force"]
    }
}

#[test]
fn it_answers_like_an_smt_solver() {
    let dir = tempfile::tempdir().unwrap();
    for strategy in strategies() {
        let output = solve(dir.path(), PROBLEM, &["--strategy", strategy]);
        expect(&output, 0);
        let said = stdout(&output);
        let model = "sat\n(\n  (define-fun s () String \"ab\")\n  (define-fun n () Int 2)\n)\n\
                     ((n 2)\n ((str.++ s \"\"\"c\") \"ab\"\"c\"))\n";
        assert!(said.starts_with(model), "{strategy}: {said}");
        let rest = &said[model.len()..];
        assert!(
            rest.starts_with("unsat\n(error \"there is no model: the answer is unsat\")\n"),
            "{strategy}: {said}"
        );
        // What one prints, the other accepts.
        let checked = check(dir.path(), &["p.smt2", "-"], &said);
        expect(&checked, 0);
        assert!(stdout(&checked).contains("holds\n"), "{}", stdout(&checked));
        assert!(stdout(&checked).contains("no model: the answer is unsat\n"), "{}", stdout(&checked));
    }
}

#[test]
fn the_model_is_printed_on_request() {
    let dir = tempfile::tempdir().unwrap();
    let text = "(declare-const idle Int)(declare-const s String)(assert (= s \"x\"))(check-sat)";
    let quiet = solve(dir.path(), text, &["--strategy", "brute-force"]);
    expect(&quiet, 0);
    assert_eq!(stdout(&quiet), "sat\n");
    let output = solve(dir.path(), text, &["--strategy", "brute-force", "--model"]);
    assert!(stdout(&output).contains("(define-fun s () String \"x\")"), "{}", stdout(&output));
    assert!(stdout(&output).contains("(define-fun idle () Int "), "what is idle has a value too");
}

/// A model of a script with functions and sorts of its own is told in its terms, and is evaluated as such.
#[test]
#[cfg(feature = "z3")]
fn models_have_tables() {
    let text = "(declare-sort Obj 0)(declare-fun f (String) String)(declare-fun g (Obj) Int)\n\
                (declare-const o Obj)(declare-const p Obj)(declare-const b (_ BitVec 4))\n\
                (assert (= (f (f \"a\")) \"zz\"))\n(assert (= (f \"a\") \"x\"))\n(assert (> (g o) (g p) 2))\n\
                (assert (= (bvand b #x5) #x4))\n(check-sat)\n";
    let dir = tempfile::tempdir().unwrap();
    for strategy in ["z3", "graph-automata-ranges"] {
        let output = solve(dir.path(), text, &["--strategy", strategy, "--model"]);
        expect(&output, 0);
        let said = stdout(&output);
        for part in [
            "sat\n(\n  (declare-fun Obj!val!0 () Obj)\n  (declare-fun Obj!val!1 () Obj)\n",
            "(define-fun o () Obj Obj!val!0)",
            "(define-fun b () (_ BitVec 4) (_ bv",
            "(define-fun f ((x!0 String)) String\n    (ite (= x!0 \"a\") \"x\" \"zz\"))",
            "(define-fun g ((x!0 Obj)) Int\n    (ite (= x!0 Obj!val!0) 4 3))",
        ] {
            assert!(said.contains(part), "{strategy}: {part}\n{said}");
        }
        let checked = check(dir.path(), &["p.smt2", "-"], &said);
        expect(&checked, 0);
        assert!(stdout(&checked).contains("true   line 5: (> (g o) (g p) 2)"), "{}", stdout(&checked));
        let wrong = check(dir.path(), &["p.smt2", "-"], &said.replace("\"zz\"", "\"z\""));
        expect(&wrong, 11);
        assert!(stdout(&wrong).contains("FALSE  line 3: (= (f (f \"a\")) \"zz\")"), "{}", stdout(&wrong));
    }
}

#[test]
fn a_bound_is_unknown_to_smt_users() {
    let dir = tempfile::tempdir().unwrap();
    let text = "(declare-const s String)(assert (> (str.len s) 9))(assert (str.contains s \"a\"))(check-sat)";
    let output = solve(dir.path(), text, &["--strategy", "brute-force"]);
    expect(&output, 0);
    assert!(stdout(&output).starts_with("unknown\n; unsat within bound"), "{}", stdout(&output));
}

#[test]
fn the_alphabet_can_change_the_answer() {
    let dir = tempfile::tempdir().unwrap();
    let text = "(declare-const s String)(assert (= s \"\\u{e9}\"))(check-sat)";
    let of = |alphabet: &str| {
        stdout(&solve(dir.path(), text, &["--strategy", "brute-force", "--alphabet", alphabet]))
    };
    assert_eq!(of("latin1"), "sat\n");
    assert_ne!(of("ascii"), "sat\n");
    expect(&solve(dir.path(), text, &["--strategy", "brute-force", "--alphabet", "klingon"]), 2);
}

#[test]
fn scripts_that_cannot_be_taken() {
    let dir = tempfile::tempdir().unwrap();
    let args = &["--strategy", "brute-force"];
    let output = solve(dir.path(), "(declare-const s String)\n(assert (= s 1))\n(check-sat)\n", args);
    expect(&output, 2);
    let said = stdout(&output);
    assert!(said.starts_with("(error \"p.smt2: line 2 column 9: ") && said.ends_with("\")\n"), "{said}");
    let output = solve(dir.path(), "(declare-datatype T ((c)))\n(check-sat)\n", args);
    expect(&output, 0);
    assert!(
        stdout(&output).starts_with("unknown\n(:reason-unknown (unsupported \"line 1 column 2: "),
        "{}",
        stdout(&output)
    );
    let output = solve(dir.path(), "(declare-const s String)", args);
    expect(&output, 0);
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains("no check-sat"), "{}", stderr(&output));
    let output = harness(dir.path(), &["solve", "absent.smt2", "--strategy", "brute-force"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("absent.smt2"), "{}", stderr(&output));
    let output = solve(dir.path(), PROBLEM, &["--strategy", "brute-farce"]);
    expect(&output, 2);
    assert_eq!(stderr(&output), "error: there is no strategy 'brute-farce': did you mean 'brute-force'?\n");
    // Regular expressions are its only subject.
    let output = solve(dir.path(), PROBLEM, &["--strategy", "classes-lazy"]);
    expect(&output, 0);
    let refused = "unknown\n(:reason-unknown (unsupported \"string constraints\"))\n";
    assert!(stdout(&output).starts_with(refused), "{}", stdout(&output));
}

#[test]
fn a_wrong_status_line_is_noted() {
    let dir = tempfile::tempdir().unwrap();
    let text = "(set-info :status unsat)(declare-const s String)(assert (= s \"a\"))(check-sat)";
    let output = solve(dir.path(), text, &["--strategy", "brute-force"]);
    expect(&output, 0);
    assert_eq!(stdout(&output), "sat\n");
    assert_eq!(
        stderr(&output),
        "note: the :status line of the check-sat of line 1 says unsat, brute-force says sat\n"
    );
}

#[cfg(feature = "misbehaving")]
#[test]
fn no_sat_is_printed_that_was_not_checked() {
    let dir = tempfile::tempdir().unwrap();
    let output = solve(dir.path(), PROBLEM, &["--strategy", "test-lies"]);
    expect(&output, 11);
    assert!(!stdout(&output).lines().any(|line| line == "sat"), "{}", stdout(&output));
    assert!(
        stderr(&output).contains("the model has no value for 's', and its default makes the assertion of line 4 false: (str.prefixof \"a\" s)"),
        "{}",
        stderr(&output)
    );
    for (strategy, reason, status) in [
        ("test-sleeps", "(:reason-unknown timeout)", 0),
        ("test-refuses", "(:reason-unknown (unsupported ", 0),
        ("test-panics", "(:reason-unknown (failed \"panic at ", 30),
        ("test-aborts", "(:reason-unknown (failed \"ended by signal 6\"))", 30),
    ] {
        let output = solve(dir.path(), PROBLEM, &["--strategy", strategy, "--timeout", "300ms"]);
        expect(&output, status);
        let said = stdout(&output);
        assert!(said.starts_with(&format!("unknown\n{reason}")), "{strategy}: {said}");
        assert_eq!(said.lines().filter(|line| *line == "unknown").count(), 2, "one for each check-sat");
    }
}

#[test]
fn models_are_evaluated_without_a_solver() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(
        dir.path().join("p.smt2"),
        "(declare-const out String)\n(declare-const t String)\n(declare-const idle Int)\n(assert (= out \"f--g\"))\n\
         (assert\n  (= (str.len t) 2)) ; 092, 000\n(check-sat)\n",
    )
    .unwrap();
    let of = |model: &str| check(dir.path(), &["p.smt2", "-"], model);
    let out = "(define-fun out () String (str.replace_re_all \"foog\" (str.to_re \"o\") \"-\"))";
    let good = of(&format!("sat\n(model {out} (define-fun t () String \"\\\\u{{0}}\"))"));
    expect(&good, 0);
    assert_eq!(
        stdout(&good),
        "holds\n  true   line 4: (= out \"f--g\")\n  true   line 6: (= (str.len t) 2)\n"
    );
    let bad = of(&format!("({out} (define-fun t () String \"x\"))"));
    expect(&bad, 11);
    assert!(
        stdout(&bad).starts_with("fails: the model makes the assertion of line 6 false"),
        "{}",
        stdout(&bad)
    );
    assert!(stdout(&bad).contains("  FALSE  line 6: (= (str.len t) 2)\n"), "{}", stdout(&bad));
    let witness = "(define-fun t () String (witness ((w String)) (= (str.len w) 2)))";
    let open = of(&format!("({out} {witness})"));
    expect(&open, 30);
    assert!(stdout(&open).starts_with("unvalidated: "), "{}", stdout(&open));
    expect(&of(""), 2);
    expect(&of("("), 2);
    let many = of("sat\n()\nsat\n()\n");
    expect(&many, 2);
    assert!(stderr(&many).contains("--query"), "{}", stderr(&many));
    expect(&check(dir.path(), &["p.smt2", "-", "--query", "2"], "()"), 2);
}

#[test]
fn what_a_model_leaves_open_is_not_held_against_it() {
    let dir = tempfile::tempdir().unwrap();
    let text = "(declare-const s String)(declare-const t String)\n(assert (= s \"a\"))(check-sat)(get-value (s (str.len s)))";
    let said = stdout(&solve(dir.path(), text, &["--strategy", "brute-force"]));
    assert_eq!(said, "sat\n((s \"a\")\n ((str.len s) 1))\n");
    let checked = check(dir.path(), &["p.smt2", "-"], &said);
    expect(&checked, 0);
    assert_eq!(stdout(&checked), "holds\n  true   line 2: (= s \"a\")\n");
    let checked = check(dir.path(), &["p.smt2", "-"], "sat\n");
    expect(&checked, 30);
    let why = "unvalidated: the model has no value for 's', and its default makes the assertion of line 2 false: (= s \"a\")\n";
    assert!(stdout(&checked).starts_with(why), "{}", stdout(&checked));
    expect(&check(dir.path(), &["p.smt2", "-"], "sat\n((s \"b\") (t \"\"))"), 11);

    // What makes it false is a condition of Java that nobody wrote.
    let text = "(declare-const s String)\n(assert (= (java.toLowerCase s) s))(check-sat)";
    fs::write(dir.path().join("p.smt2"), text).unwrap();
    let checked = check(dir.path(), &["p.smt2", "-"], "((define-fun s () String \"\\u{e9}\"))");
    expect(&checked, 11);
    assert!(
        stdout(&checked).starts_with("fails: the model makes (str.in_re s ")
            && stdout(&checked)
                .contains("on which the assertion of line 2 is defined: (= (java.toLowerCase s) s)\n"),
        "{}",
        stdout(&checked)
    );
}

/// Whatever the strategy: it need not know of path trees.
#[test]
fn a_path_tree_with_a_fault_is_refused_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let text = "(set-info :path-tree t)\n(push 1)\n(check-sat)\n";
    let strategies: &[&str] =
        if cfg!(feature = "z3") { &["brute-force", "z3", "hybrid"] } else { &["brute-force"] };
    for strategy in strategies {
        let output = solve(dir.path(), text, &["--strategy", strategy]);
        expect(&output, 2);
        assert_eq!(stdout(&output), "(error \"p.smt2: line 2 column 1: this 'push' is never popped\")\n");
    }
}

#[test]
fn java_is_lowered_away() {
    let dir = tempfile::tempdir().unwrap();
    let text = "(declare-const s String)\n(push)\n(assert (= (java.trim s) \"x\"))\n(check-sat)\n(get-model)\n(pop)\n\
                (assert (= s \"y\"))\n(set-info :status sat)\n(check-sat)\n";
    fs::write(dir.path().join("p.smt2"), text).unwrap();
    let output = harness(dir.path(), &["lower", "p.smt2"]);
    expect(&output, 0);
    let lowered = stdout(&output);
    assert!(!lowered.contains("java."), "{lowered}");
    assert_eq!(lowered.matches("(check-sat)\n").count(), 2);
    assert_eq!(lowered.matches("(reset)\n").count(), 1);
    assert_eq!(lowered.matches("(get-model)\n").count(), 1);
    assert!(lowered.contains("(set-info :status sat)"));
    // What is printed is read again, and says the same.
    fs::write(dir.path().join("q.smt2"), &lowered).unwrap();
    let again = harness(dir.path(), &["lower", "q.smt2"]);
    expect(&again, 0);
    assert_eq!(stdout(&again).matches("(check-sat)\n").count(), 2);
    if cfg!(feature = "z3") {
        let output = harness(dir.path(), &["solve", "q.smt2", "--strategy", "z3"]);
        expect(&output, 0);
        assert_eq!(stdout(&output).lines().filter(|line| *line == "sat").count(), 2, "{}", stdout(&output));
    }
}

#[test]
fn lowering_knows_the_alphabet() {
    let dir = tempfile::tempdir().unwrap();
    let text =
        "(declare-const i Int)\n(assert (= i (java.indexOfChar \"a\\u{1F600}\" 128512)))\n(check-sat)\n";
    fs::write(dir.path().join("p.smt2"), text).unwrap();
    let lowered = |alphabet| {
        let output = harness(dir.path(), &["lower", "p.smt2", "--alphabet", alphabet]);
        expect(&output, 0);
        stdout(&output)
    };
    assert!(
        lowered("utf16").contains("(str.indexof \"a\\u{d83d}\\u{de00}\" \"\\u{d83d}\\u{de00}\" 0)"),
        "{}",
        lowered("utf16")
    );
    assert!(lowered("unicode").contains("(str.from_code 128512)"), "{}", lowered("unicode"));
    let output = harness(dir.path(), &["lower", "p.smt2", "--alphabet", "ascii"]);
    expect(&output, 2);
    // Of a code that is not known the pair is asked for first: to another solver it would be one character.
    let text = "(declare-const c Int)\n(assert (= 1 (java.indexOfChar \"a\\u{1F600}\" c)))\n(check-sat)\n";
    fs::write(dir.path().join("p.smt2"), text).unwrap();
    let output = harness(dir.path(), &["lower", "p.smt2", "--alphabet", "utf16"]);
    let lowered = stdout(&output);
    assert!(lowered.contains("(assert (= 1 (ite (<= 65536 c 1114111) (str.indexof "), "{lowered}");
}

#[test]
fn graphs_are_drawn() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("p.smt2"), PROBLEM).unwrap();
    let draw = |args: &[&str]| harness(dir.path(), &[&["draw", "p.smt2", "--out"], args].concat());
    for (name, start) in [("g.svg", &b"<svg"[..]), ("g.dot", b"graph"), ("g.png", b"\x89PNG")] {
        expect(&draw(&[name]), 0);
        assert!(fs::read(dir.path().join(name)).unwrap().starts_with(start), "{name}");
    }
    expect(&draw(&["g.svg", "--query", "3"]), 2);
    let output = draw(&["g.pdf"]);
    expect(&output, 2);
    assert!(stderr(&output).contains(".svg, .png or .dot"), "{}", stderr(&output));
    fs::write(
        dir.path().join("p.smt2"),
        "(declare-const s String)(assert (or (= s \"a\") (= s \"b\")))(check-sat)",
    )
    .unwrap();
    let output = draw(&["h.svg"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("cannot be drawn as a string graph"), "{}", stderr(&output));
    assert!(!dir.path().join("h.svg").exists());
    // What takes too long to lay out is refused at once.
    let mut chain = String::from("(declare-const y0 String)\n");
    for i in 1..2_600 {
        chain.push_str(&format!("(declare-const y{i} String)(assert (= y{i} (str.++ y{} \"a\")))\n", i - 1));
    }
    fs::write(dir.path().join("p.smt2"), chain + "(check-sat)").unwrap();
    let output = draw(&["h.svg"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("at most 2500 are laid out here"), "{}", stderr(&output));
    expect(&draw(&["h.dot"]), 0);
}

#[test]
fn scripts_are_tasks() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("mine");
    fs::create_dir(&folder).unwrap();
    let put = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    put("a.smt2", "(declare-const s String)(assert (= s \"a\"))(check-sat)");
    put("b.smt2", "(set-info :status unsat)(assert false)(check-sat)");
    put("c.smt2", "(assert (= 1 \"\"))(check-sat)");
    let config = "name: mine\nlimits: {wall: 10s, memory: 1GiB}\ntasks:\n  - scripts: {files: ['mine/*.smt2']}\n\
                  strategies: [brute-force]\n";
    fs::write(dir.path().join("a.yaml"), config).unwrap();
    let output = harness(dir.path(), &["compare", "a.yaml", "--out", "run"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("c.smt2:1:9"), "{}", stderr(&output));

    fs::write(dir.path().join("a.yaml"), format!("{config}on_bad_task: skip\n")).unwrap();
    let output = harness(dir.path(), &["compare", "a.yaml", "--out", "run"]);
    expect(&output, 0);
    let rows = crate::results(&dir.path().join("run"));
    let statuses: Vec<[&str; 3]> = rows.iter().map(|row| [row[0].as_str(), &row[2], &row[5]]).collect();
    assert_eq!(
        statuses,
        [["scripts/unicode/mine/a", "unicode", "sat"], ["scripts/unicode/mine/b", "unicode", "unsat"]]
    );
    let output = harness(dir.path(), &["generate", "a.yaml", "--out", "tasks"]);
    expect(&output, 0);
    let text = fs::read_to_string(dir.path().join("tasks/scripts/unicode/mine/a.smt2")).unwrap();
    assert_eq!(text, "(declare-const s String)(assert (= s \"a\"))(check-sat)");
    let table = fs::read_to_string(dir.path().join("tasks/tasks.tsv")).unwrap();
    assert!(table.contains("scripts/unicode/mine/b.smt2\t\tunsat\n"), "{table}");

    fs::write(dir.path().join("b.yaml"), config.replace("mine/*", "none/*")).unwrap();
    let output = harness(dir.path(), &["compare", "b.yaml", "--out", "other"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("b.yaml:4:23"), "{}", stderr(&output));
}
