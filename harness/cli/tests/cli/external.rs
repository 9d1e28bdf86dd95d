//! Solvers that are programs of their own: those that behave, and those that lie, fail, hang and leave
//! processes behind. Each gets its status, the run goes on, and nothing is left.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::{command, expect, planned, records, results, stderr, stdout};

const TASK: &str = "(declare-const x String)\n(assert (= (str.len x) 2))\n(check-sat)\n";
const RIGHT: &str = "echo sat; echo '((define-fun x () String \"ab\"))'";

/// Name, what the program does, options beside the command, and the status of its record.
const PROGRAMS: [(&str, &str, &str, &str); 17] = [
    ("right", RIGHT, "", "sat"),
    ("lies", "echo unsat", "", "wrong"),
    ("wrong-model", "echo sat; echo '((define-fun x () String \"abc\"))'", "", "invalid-model"),
    ("no-model", "echo sat", "", "sat"),
    ("garbage", "echo hello", "", "error"),
    (
        "error-then-sat",
        "echo '(error \"line 2: what?\")'; echo sat; echo '((define-fun x () String \"ab\"))'",
        "",
        "error",
    ),
    (
        "forks-and-hangs",
        "sleep 1000 & setsid sleep 1000 & (setsid sh -c 'setsid sleep 1000 &' &); sleep 1000",
        "",
        "timeout",
    ),
    ("ignores-signals", "trap '' TERM INT HUP; while :; do sleep 1000; done", "", "timeout"),
    ("leaves-daemons", "setsid sleep 1000 & (setsid sh -c 'setsid sleep 1000 &' &); RIGHT", "", "sat"),
    (
        "needs-exit",
        "while :; do read -r l || sleep 1; case $l in '(exit)') RIGHT; exit;; esac; done",
        ", script: stdin",
        "sat",
    ),
    (
        "lacks-exit",
        "while :; do read -r l || sleep 1; case $l in '(exit)') RIGHT; exit;; esac; done",
        ", script: stdin, exit: false",
        "timeout",
    ),
    ("long-line", "head -c 1048576 /dev/zero | tr '\\0' x", "", "error"),
    ("closes-early", "exec >&-; exit 0", "", "error"),
    ("dies", "kill -SEGV $$", "", "crash"),
    ("exits", "exit 3", "", "crash"),
    ("spins", "while :; do :; done", "", "timeout"),
    ("is-told", "[ \"$1 $2\" = '-t:5000 512' ] && { RIGHT; }", "", "sat"),
];

fn write(dir: &Path, name: &str, text: &str, mode: u32) {
    let path = dir.join(name);
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
}

/// The live processes whose environment has this entry.
fn marked(mark: &str) -> Vec<String> {
    let pids = fs::read_dir("/proc").unwrap().filter_map(|e| e.ok()?.file_name().into_string().ok());
    pids.filter(|pid| {
        let environ = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environ.split(|&b| b == 0).any(|entry| entry == mark.as_bytes())
    })
    .collect()
}

#[test]
fn each_program_gets_its_status_and_nothing_is_left() {
    let dir = tempfile::tempdir().unwrap();
    let (here, scratch) = (dir.path(), dir.path().join("tmp"));
    fs::create_dir(&scratch).unwrap();
    fs::create_dir(here.join("solvers")).unwrap();
    fs::write(here.join("task.smt2"), TASK).unwrap();
    let mut entries = String::new();
    for (name, text, options, _) in PROGRAMS {
        write(&here.join("solvers"), name, &format!("#!/bin/sh\n{}\n", text.replace("RIGHT", RIGHT)), 0o755);
        let words = if name == "is-told" { ", '-t:{wall_ms}', '{memory_mib}'" } else { "" };
        entries.push_str(&format!(
            "  - family: external\n    as: {name}\n    options: {{command: [./{name}{words}], version: [echo, '1'], models: \
             get-model{options}}}\n"
        ));
    }
    for name in ["not-executable", "absent"] {
        entries.push_str(&format!(
            "  - {{family: external, as: {name}, options: {{command: ./{name}, version: echo 1}}}}\n"
        ));
    }
    entries.push_str("  - {family: external, as: nowhere, options: {command: [no-such-solver]}}\n");
    write(&here.join("solvers"), "not-executable", "#!/bin/sh\necho unsat\n", 0o644);
    // Programs are looked for from the folder of the file on.
    let config = format!(
        "name: programs\nlimits: {{wall: 5s, memory: 512MiB}}\ntasks:\n  - scripts: {{files: [../task.smt2]}}\n\
         strategies:\n  - brute-force\n{entries}"
    );
    fs::write(here.join("solvers/c.yaml"), config).unwrap();
    let mark = format!("HARNESS_EXTERNAL_TEST={}", std::process::id());
    let mut run = command(here, &["compare", "solvers/c.yaml", "--out", "run"]);
    let (name, value) = mark.split_once('=').unwrap();
    let output = run.env(name, value).env("TMPDIR", &scratch).output().unwrap();
    assert_eq!(marked(&mark), [""; 0], "processes are left");
    assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0, "files are left");
    expect(&output, 10);

    let run = here.join("run");
    let rows = results(&run);
    let statuses: BTreeMap<&str, &str> = rows.iter().map(|row| (row[3].as_str(), row[5].as_str())).collect();
    for (name, _, _, status) in PROGRAMS {
        let row = rows.iter().find(|row| row[3] == name).unwrap();
        assert_eq!(statuses[name], status, "{name}: {row:?}");
    }
    assert_eq!((statuses["brute-force"], statuses.len()), ("sat", PROGRAMS.len() + 1));
    assert_eq!(planned(&run), PROGRAMS.len() + 1);

    // What cannot be run is said before and after, and counted.
    for (name, why) in [
        ("not-executable", "may not be executed"),
        ("absent", "the program 'solvers/absent' is not there"),
        ("nowhere", "the program 'no-such-solver' is not installed"),
    ] {
        let said = stderr(&output);
        assert!(said.contains(&format!("left out: {name} with 1 record: ")) && said.contains(why), "{said}");
        let said = stdout(&output);
        assert!(said.contains(&format!("left out: {name}: ")) && said.contains(why), "{said}");
    }
    // The processor time and the error are those of the program.
    let records = records(&run);
    let of = |strategy: &str| records.iter().find(|record| record["strategy"] == strategy).unwrap();
    let cpu = |strategy: &str| of(strategy)["usage"]["cpu_ns"].as_u64().unwrap();
    assert!(cpu("spins") > cpu("ignores-signals"), "{} {}", of("spins"), of("ignores-signals"));
    let why = of("error-then-sat")["termination"]["error"].as_str().unwrap();
    assert!(why.contains("line 2: what?"), "{why}");
}

#[test]
fn a_version_is_asked_once_and_a_plan_is_the_same_however_its_file_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path().canonicalize().unwrap();
    fs::create_dir(here.join("configs")).unwrap();
    fs::write(here.join("task.smt2"), TASK).unwrap();
    let text = "#!/bin/sh\n[ \"$1\" = --version ] && echo asked >> asked && echo 1 && exit\necho unknown\n";
    write(&here, "solver", text, 0o755);
    let config = "name: s\nlimits: {wall: 60s}\ntasks: [scripts: {files: [../task.smt2]}]\nstrategies:\n  - {family: external, as: s, \
                  options: {command: [./../solver]}}\n";
    fs::write(here.join("configs/c.yaml"), config).unwrap();
    expect(&command(&here, &["compare", "configs/c.yaml", "--out", "run"]).output().unwrap(), 0);
    assert_eq!(fs::read_to_string(here.join("asked")).unwrap(), "asked\n");
    let absolute = here.join("configs/c.yaml");
    for file in ["./configs/../configs/c.yaml", absolute.to_str().unwrap()] {
        let output = command(&here, &["compare", file, "--out", "run"]).output().unwrap();
        expect(&output, 0);
        assert!(stderr(&output).contains("1 of 1 records are there"), "{file}: {}", stderr(&output));
    }
}

#[test]
fn answers_before_a_limit_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let two = "(declare-const x String)(push)(assert (= x \"one\"))(check-sat)(pop)(assert (= x \"two\"))(check-sat)";
    fs::write(dir.path().join("task.smt2"), two).unwrap();
    let text = "#!/bin/sh\nif grep -q two \"$1\"; then echo sat; sleep 1000; fi\necho sat; echo '((define-fun x () String \"one\"))'\n";
    write(dir.path(), "slow", text, 0o755);
    let config = "name: slow\nlimits: {wall: 5s}\ntasks: [scripts: {files: [task.smt2]}]\nstrategies:\n  - {family: external, as: \
                  slow, options: {command: [./slow], version: [echo, '1']}}\n";
    fs::write(dir.path().join("c.yaml"), config).unwrap();
    let output = command(dir.path(), &["compare", "c.yaml", "--out", "run"]).output().unwrap();
    expect(&output, 0);
    let record = &records(&dir.path().join("run"))[0];
    assert_eq!(record["termination"]["timeout"], "wall", "{record}");
    assert_eq!(record["answers"].as_array().unwrap().len(), 2, "{record}");
    assert!(record["answers"][0]["witness"]["model"].as_str().unwrap().contains("one"), "{record}");
    assert_eq!(record["answers"][1]["verdict"], "sat", "{record}");
}

#[test]
fn a_bad_entry_is_told_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    for (entry, place, part) in [
        ("{family: external, options: {}}", "4:14", "the option 'command': it names no program"),
        (
            "{family: external, options: {command: [z3, '{walls}']}}",
            "4:43",
            "stand for {walls}: there are {file}, {wall_s}",
        ),
        ("{family: external, options: {command: [z3, true]}}", "4:43", "found 'true' in the list"),
        ("{family: external, options: {command: \"z3 '\"}}", "4:43", "expected a program and its arguments"),
        (
            "{family: external, options: {command: z3, model: none}}",
            "4:47",
            "has no option 'model': did you mean 'models'?",
        ),
        (
            "{family: external, options: {command: z3, models: get-modell}}",
            "4:55",
            "did you mean 'get-model'?",
        ),
        (
            "{family: external, as: brute-force, options: {command: z3}}",
            "4:28",
            "'brute-force' is the name of another strategy",
        ),
    ] {
        let config =
            format!("name: bad\ntasks: [corpus: {{name: smtlib/cases}}]\nstrategies:\n  - {entry}\n");
        fs::write(dir.path().join("c.yaml"), config).unwrap();
        let output = command(dir.path(), &["compare", "c.yaml", "--out", "run"]).output().unwrap();
        expect(&output, 2);
        let said = stderr(&output);
        assert!(said.contains(&format!("c.yaml:{place}: ")) && said.contains(part), "{entry}: {said}");
    }
}

/// A solver that is not there keeps nobody else's records from being made again.
#[test]
fn records_are_made_again_beside_a_solver_that_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("task.smt2"), TASK).unwrap();
    let config = "name: a\nlimits: {wall: 10s, memory: 1GiB}\ntasks: [{scripts: {files: [task.smt2]}}]\nstrategies:\n  - \
                  brute-force\n  - {family: external, as: gone, options: {command: [no-such-solver]}}\n";
    fs::write(dir.path().join("a.yaml"), config).unwrap();
    let run = |args: &[&str]| command(dir.path(), args).output().unwrap();
    expect(&run(&["compare", "a.yaml", "--out", "run", "--no-progress"]), 0);
    let again = run(&["rerun", "run", "--where", "strategy=brute-force", "--no-progress"]);
    expect(&again, 0);
    assert!(stderr(&again).contains("1 record is made again"), "{}", stderr(&again));
}
