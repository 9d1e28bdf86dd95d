//! Runs that go well, and directories that are not theirs.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use crate::{command, expect, harness, planned, records, results, small, stderr, stdout};

#[test]
fn a_run_leaves_records_and_reports() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), small("[sfa-bdd-eager, 'sfa-*-lazy', classes-lazy]")).unwrap();
    let output = harness(dir.path(), &["compare", "a.yaml", "--out", "run"]);
    expect(&output, 0);
    let run = dir.path().join("run");
    let said = stdout(&output);
    assert!(said.starts_with("small: "), "no fault may be told of: {said}");
    assert!(said.contains("classes-lazy") && said.contains("results.csv"), "{said}");
    assert_eq!(records(&run).len(), planned(&run));
    assert_eq!(planned(&run) % 7, 0, "three products and four differences a strategy");
    let text = fs::read_to_string(run.join("results.csv")).unwrap();
    assert!(text.starts_with(
        "task,family,alphabet,strategy,repeat,status,expected,wall_s,cpu_s,peak_rss_kib,witness,detail"
    ));
    for row in results(&run) {
        assert_eq!(row[5], row[6], "the status is the expected one: {row:?}");
    }
    for file in ["run.json", "tasks.jsonl", "summary.md", "results.csv"] {
        assert!(run.join(file).metadata().unwrap().len() > 0, "{file}");
    }
    assert!(fs::read_dir(run.join("plots")).unwrap().count() > 0);

    // Made again from the records, every report is the same; and so is what is said.
    let before = fs::read(run.join("summary.md")).unwrap();
    fs::remove_file(run.join("results.csv")).unwrap();
    let again = harness(dir.path(), &["report", "run"]);
    expect(&again, 0);
    assert_eq!(stdout(&again), said);
    assert_eq!(fs::read(run.join("summary.md")).unwrap(), before);
    assert_eq!(fs::read_to_string(run.join("results.csv")).unwrap(), text);

    // Run again, nothing is left to do.
    let before = fs::read(run.join("records.jsonl")).unwrap();
    let resumed = harness(dir.path(), &["compare", "a.yaml", "--out", "run"]);
    expect(&resumed, 0);
    assert_eq!(fs::read(run.join("records.jsonl")).unwrap(), before);
}

#[test]
fn directories_of_others_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), small("[sfa-ranges-lazy]")).unwrap();
    expect(&harness(dir.path(), &["compare", "a.yaml", "--out", "run"]), 0);
    let before = fs::read(dir.path().join("run/records.jsonl")).unwrap();
    for (change, args) in [
        ("strategies: [sfa-bdd-lazy]", &[][..]),
        ("strategies: [sfa-ranges-lazy]\nrepeats: 2", &[]),
        ("strategies: [sfa-ranges-lazy]", &["--timeout", "20s"]),
    ] {
        let other = small("[sfa-ranges-lazy]").replace("strategies: [sfa-ranges-lazy]", change);
        fs::write(dir.path().join("b.yaml"), other).unwrap();
        let output = harness(dir.path(), &[&["compare", "b.yaml", "--out", "run"], args].concat());
        expect(&output, 2);
        assert!(stderr(&output).contains("another --out"), "{}", stderr(&output));
    }
    assert_eq!(fs::read(dir.path().join("run/records.jsonl")).unwrap(), before);

    fs::create_dir(dir.path().join("mine")).unwrap();
    fs::write(dir.path().join("mine/letter.txt"), "dear").unwrap();
    let output = harness(dir.path(), &["compare", "a.yaml", "--out", "mine"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("letter.txt"), "{}", stderr(&output));
    let output = harness(dir.path(), &["report", "mine"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("no run here"), "{}", stderr(&output));
}

#[test]
fn the_time_limit_of_the_command_line_is_recorded() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), small("[sfa-ranges-lazy]")).unwrap();
    expect(&harness(dir.path(), &["compare", "a.yaml", "--out", "run", "--timeout", "1500ms"]), 0);
    let info: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(dir.path().join("run/run.json")).unwrap()).unwrap();
    assert_eq!(info["limits"]["wall"]["nanos"], 500_000_000);
    assert_eq!(info["overrides"], serde_json::json!({"timeout": "1500ms"}));
    assert_eq!(info["config"].as_str().unwrap(), small("[sfa-ranges-lazy]"));
    assert!(info["machine"]["cores"].as_u64().unwrap() > 0);
    assert!(info["versions"]["rustc"].as_str().unwrap().starts_with("rustc "));
}

#[test]
fn what_is_left_out_is_not_run_and_told() {
    let dir = tempfile::tempdir().unwrap();
    let text = small("[sfa-ranges-lazy, sfa-bdd-lazy]").replace("[ascii]", "[ascii, utf16]")
        + "leave_out: [{strategies: [sfa-bdd-lazy], alphabets: [utf16], because: for the test}]\n";
    fs::write(dir.path().join("a.yaml"), text).unwrap();
    let output = harness(dir.path(), &["compare", "a.yaml", "--out", "run"]);
    expect(&output, 0);
    let run = dir.path().join("run");
    assert_eq!(records(&run).len(), 3 * 7);
    assert!(results(&run).iter().all(|row| !(row[2] == "utf16" && row[3] == "sfa-bdd-lazy")));
    assert!(stdout(&output).contains("left out: sfa-bdd-lazy in utf16: for the test"));
    let cell =
        serde_json::json!({"strategy": "sfa-bdd-lazy", "alphabet": "utf16", "because": "for the test"});
    assert_eq!(run_json(&run)["left_out"], serde_json::json!([cell]));
}

fn run_json(run: &Path) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(run.join("run.json")).unwrap()).unwrap()
}

#[test]
fn two_sets_of_options_of_a_family_are_two_strategies() {
    let dir = tempfile::tempdir().unwrap();
    let list = "[sfa-ranges-lazy, {family: sfa, as: thrifty, options: {algebra: ranges, order: breadth-first, once: true}}]";
    fs::write(dir.path().join("a.yaml"), small(list)).unwrap();
    expect(&harness(dir.path(), &["compare", "a.yaml", "--out", "run"]), 0);
    let run = dir.path().join("run");
    let names: BTreeSet<String> = results(&run).into_iter().map(|row| row[3].clone()).collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["sfa-ranges-lazy", "thrifty"]);
    assert!(fs::read_to_string(run.join("summary.md")).unwrap().contains("thrifty"));
    let info = run_json(&run);
    let row = &info["strategies"][1];
    assert_eq!(row["family"], "sfa");
    assert_eq!(row["canonical"], "sfa-ranges-lazy-bfs-once-true");
    let options = serde_json::json!({
        "algebra": "ranges", "mode": "lazy", "minterms": "rank-order", "equal-labels": "merged", "order": "breadth-first",
        "once": "true"
    });
    assert_eq!(row["options"], options);
    assert_eq!(info["strategies"][0]["options"]["once"], "false");
    // The worker is asked by the canonical name.
    let shown = harness(
        dir.path(),
        &["task", "show", "--json", "run", "regexes/li2009/ascii/difference/A3-A4", "--strategy", "thrifty"],
    );
    expect(&shown, 0);
    assert!(stdout(&shown).contains("\"strategy\":\"sfa-ranges-lazy-bfs-once-true\""), "{}", stdout(&shown));

    fs::write(dir.path().join("b.yaml"), small("[{family: sfa, options: {algebra: rnges, onse: true}}]"))
        .unwrap();
    let output = harness(dir.path(), &["compare", "b.yaml", "--out", "other"]);
    expect(&output, 2);
    let said = stderr(&output);
    assert!(said.contains("found 'rnges': did you mean 'ranges'?"), "{said}");
    assert!(
        said.contains("has no option 'onse': did you mean 'once'?") && said.contains("b.yaml:6:"),
        "{said}"
    );
}

#[test]
fn a_run_is_not_taken_up_by_another_build_unasked() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), small("[sfa-ranges-lazy]")).unwrap();
    let args = ["compare", "a.yaml", "--out", "run"];
    expect(&harness(dir.path(), &args), 0);
    let run = dir.path().join("run");
    let info = run_json(&run);
    let digest = info["versions"]["program"].as_str().unwrap();
    assert_eq!(digest.len(), 64);
    assert!(info["versions"]["commit"].is_string());

    // As another build would have left it.
    let other = "0".repeat(64);
    fs::write(
        run.join("run.json"),
        fs::read_to_string(run.join("run.json")).unwrap().replace(digest, &other),
    )
    .unwrap();
    let refused = harness(dir.path(), &args);
    expect(&refused, 40);
    let said = stderr(&refused);
    assert!(
        said.contains("program: '000") && said.contains("another --out") && said.contains("--allow program"),
        "{said}"
    );
    for _ in 0..2 {
        expect(&harness(dir.path(), &[&args[..], &["--allow", "program"]].concat()), 0);
        assert_eq!(run_json(&run)["versions"]["program"], format!("{other}, then {digest}"));
    }
    // The last one is this build.
    expect(&harness(dir.path(), &args), 0);
}

#[test]
fn a_task_can_be_replayed_by_hand() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), small("[sfa-ranges-lazy, sfa-bdd-lazy]")).unwrap();
    expect(&harness(dir.path(), &["compare", "a.yaml", "--out", "run"]), 0);
    let id = "regexes/li2009/ascii/difference/A3-A4";
    let shown = harness(dir.path(), &["task", "show", "--json", "run", id, "--strategy", "sfa-bdd-lazy"]);
    expect(&shown, 0);
    let mut worker =
        command(dir.path(), &["worker"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    worker.stdin.take().unwrap().write_all(&shown.stdout).unwrap();
    let output = worker.wait_with_output().unwrap();
    expect(&output, 0);
    let text = stdout(&output);
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2, "a greeting and a reply");
    assert_eq!(lines[1]["termination"], "answered");
    let recorded = records(&dir.path().join("run"));
    let same = recorded.iter().find(|r| r["task"] == id && r["strategy"] == "sfa-bdd-lazy").unwrap();
    assert_eq!(lines[1]["answers"], same["answers"]);

    let wrong = harness(dir.path(), &["task", "show", "run", "regexes/li2009/ascii/difference/A3-A5"]);
    expect(&wrong, 2);
    assert!(stderr(&wrong).contains("did you mean"), "{}", stderr(&wrong));
}

#[test]
fn a_task_is_shown_with_all_its_records() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(
        dir.path().join("p.smt2"),
        "(set-info :status unsat)\n(declare-const s String)\n(assert (= s \"a\"))\n(check-sat)\n",
    )
    .unwrap();
    let text = "name: t\nlimits: {wall: 10s, memory: 1GiB}\nrepeats: 2\ntasks:\n  - scripts: {files: [p.smt2]}\n\
                strategies: [brute-force, classes-lazy]\n";
    fs::write(dir.path().join("a.yaml"), text).unwrap();
    harness(dir.path(), &["compare", "a.yaml", "--out", "run"]);
    let output = harness(dir.path(), &["task", "show", "run", "scripts/unicode/p"]);
    expect(&output, 0);
    let said = stdout(&output);
    for part in [
        "task      scripts/unicode/p\n",
        "alphabet  unicode\n",
        "expected  unsat (only claimed: set-info :status",
        "asks      1 check-sat\n",
        "    (declare-const s String)\n    (assert (= s \"a\"))\n",
        "strategy      repeat       status  ",
        "brute-force        1          sat  ",
        "    witness: ",
        "classes-lazy       0  unsupported  ",
        "    detail: string constraints",
        "they disagree about check-sat number 1: ",
        "harness task show --json run scripts/unicode/p | harness worker\n",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let one = stdout(&harness(
        dir.path(),
        &["task", "show", "run", "scripts/unicode/p", "--strategy", "classes-lazy"],
    ));
    assert!(!one.contains("\nbrute-force ") && one.contains("--json --strategy classes-lazy run"), "{one}");
}

#[test]
fn a_limit_on_the_size_of_files_is_told() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), small("[sfa-ranges-lazy]")).unwrap();
    let program = command(dir.path(), &[]);
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", "ulimit -f 1; exec \"$0\" compare a.yaml --out run"]).arg(program.get_program());
    limited.current_dir(dir.path());
    for (name, value) in program.get_envs() {
        limited.env(name, value.unwrap_or_default());
    }
    let output = limited.output().unwrap();
    expect(&output, 2);
    assert!(stderr(&output).contains("File too large"), "{}", stderr(&output));
}

/// Tables have the tasks of a run once, however often each is repeated, and say how far its times lie apart.
#[test]
fn repeats_are_not_summed() {
    let dir = tempfile::tempdir().unwrap();
    let text = small("[sfa-ranges-lazy]") + "repeats: 3\n";
    fs::write(dir.path().join("a.yaml"), text).unwrap();
    let output = harness(dir.path(), &["compare", "a.yaml", "--out", "run"]);
    expect(&output, 0);
    let said = stdout(&output);
    let head: Vec<&str> =
        said.lines().find(|line| line.starts_with("strategy")).unwrap().split_whitespace().collect();
    assert_eq!(head, ["strategy", "solved", "timeout", "total", "median", "spread"]);
    let row = said.lines().find(|line| line.starts_with("sfa-ranges-lazy")).unwrap();
    let tasks = planned(&dir.path().join("run")) / 3;
    assert_eq!(row.split_whitespace().nth(1), Some(tasks.to_string().as_str()), "{said}");
    assert!(row.trim_end().ends_with('%') && row.contains('±'), "{row}");
    let table = fs::read_to_string(dir.path().join("run/tables/strategies.csv")).unwrap();
    let head: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let place = |name: &str| head.iter().position(|column| *column == name).unwrap();
    let sum = |name: &str| -> usize {
        let cells = table
            .lines()
            .skip(1)
            .map(|line| line.split(',').nth(place(name)).unwrap().parse::<usize>().unwrap());
        cells.sum()
    };
    assert_eq!([sum("records"), sum("tasks"), sum("solved")], [3 * tasks, tasks, tasks]);
    assert!(place("repeat_spread") > place("median_solve_s"));
}

#[test]
fn tasks_are_written_as_files() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), small("[sfa-ranges-lazy]")).unwrap();
    for _ in 0..2 {
        let output = harness(dir.path(), &["generate", "a.yaml", "--out", "tasks"]);
        expect(&output, 0);
        assert!(stdout(&output).contains("7  tasks in tasks"), "{}", stdout(&output));
    }
    let table = fs::read_to_string(dir.path().join("tasks/tasks.tsv")).unwrap();
    assert_eq!(table.lines().count(), 8);
    assert!(table.lines().all(|line| line.split('\t').count() == 7));
    let lines = fs::read_to_string(dir.path().join("tasks/tasks.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 7);
    fs::write(dir.path().join("b.yaml"), small("[sfa-ranges-lazy]").replace("[A3, A4]", "[A3]")).unwrap();
    expect(&harness(dir.path(), &["generate", "b.yaml", "--out", "tasks"]), 2);
}

#[test]
fn the_example_with_own_expressions_runs() {
    let dir = tempfile::tempdir().unwrap();
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
    for file in ["my-regexes.example.yaml", "my-regexes.example.txt"] {
        fs::copy(configs.join(file), dir.path().join(file)).unwrap();
    }
    let out = dir.path().join("run");
    let output = harness(
        &configs,
        &["compare", "my-regexes.example.yaml", "--out", out.to_str().unwrap(), "--no-progress"],
    );
    expect(&output, 0);
    assert_eq!(records(&out).len(), planned(&out));
}

#[test]
fn generated_families_have_curves_over_their_parameters() {
    let dir = tempfile::tempdir().unwrap();
    let text = "name: g\nlimits: {wall: 10s, memory: 1GiB}\nalphabets: [ascii]\ntasks:\n  - generator: {name: long, params: \
                {n: [2, 8, 32]}}\nstrategies: [sfa-ranges-lazy, classes-lazy]\n";
    fs::write(dir.path().join("a.yaml"), text).unwrap();
    expect(&harness(dir.path(), &["compare", "a.yaml", "--out", "run"]), 0);
    let plots = dir.path().join("run/plots");
    assert!(plots.join("growth-long-ascii-n.svg").exists());
    let data = fs::read_to_string(plots.join("growth-long-ascii-n.csv")).unwrap();
    let sizes: Vec<[&str; 2]> = data
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            assert!(cells[2].parse::<f64>().unwrap() > 0.0);
            [cells[0], cells[1]]
        })
        .collect();
    for strategy in ["sfa-ranges-lazy", "classes-lazy"] {
        assert_eq!(sizes.iter().filter(|row| row[0] == strategy).count(), 3, "{data}");
    }
    let tasks = fs::read_to_string(dir.path().join("run/tasks.jsonl")).unwrap();
    assert!(tasks.lines().any(|line| line.contains("\"parameters\":{\"n\":32}")), "{tasks}");
}
