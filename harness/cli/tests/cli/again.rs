//! Records made again, and runs that get more strategies or repeats; cores that runs share.

use std::fs;
use std::path::Path;

use crate::{expect, harness, planned, records, results, small, stderr, stdout};

fn marks(run: &Path) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(run.join("superseded.jsonl")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A run of two strategies in which somebody's memory killer struck twice.
fn with_crashes() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), small("[sfa-ranges-lazy, classes-lazy]")).unwrap();
    expect(&harness(dir.path(), &["compare", "a.yaml", "--out", "run", "--no-progress"]), 0);
    let file = dir.path().join("run/records.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let mut struck = 0;
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            if !line.contains("classes-lazy") || struck == 2 {
                return line.to_owned();
            }
            struck += 1;
            line.replace("\"termination\":\"answered\"", "\"termination\":{\"signal\":9}")
        })
        .collect();
    fs::write(&file, lines.join("\n") + "\n").unwrap();
    dir
}

#[test]
fn what_the_system_killed_is_made_again_and_the_old_records_are_kept() {
    let dir = with_crashes();
    let run = dir.path().join("run");
    expect(&harness(dir.path(), &["report", "run"]), 0);
    let crashes = |run: &Path| results(run).iter().filter(|row| row[5] == "crash").count();
    assert_eq!(crashes(&run), 2);
    let before = fs::read_to_string(run.join("records.jsonl")).unwrap();
    let all = planned(&run);

    let output =
        harness(dir.path(), &["rerun", "run", "--where", "status=crash,strategy=classes-*", "--no-progress"]);
    expect(&output, 0);
    assert!(stderr(&output).contains("2 records are made again"), "{}", stderr(&output));
    assert!(stdout(&output).contains("2 records were made again"), "{}", stdout(&output));
    assert_eq!((crashes(&run), results(&run).len()), (0, all));
    let after = fs::read_to_string(run.join("records.jsonl")).unwrap();
    assert!(after.starts_with(&before) && after.lines().count() == all + 2);
    let marks = marks(&run);
    assert_eq!(marks.len(), 2);
    for mark in &marks {
        let line = usize::try_from(mark["line"].as_u64().unwrap()).unwrap();
        let record: serde_json::Value = serde_json::from_str(after.lines().nth(line - 1).unwrap()).unwrap();
        assert_eq!(record["termination"], serde_json::json!({"signal": 9}));
        assert_eq!(mark["why"], "status=crash,strategy=classes-*");
    }
    // The run is complete for every other command, and goes on as it is.
    let output = harness(dir.path(), &["compare", "a.yaml", "--out", "run", "--no-progress"]);
    expect(&output, 0);
    assert!(stderr(&output).contains(&format!("{all} of {all} records are there")), "{}", stderr(&output));
    // Nothing is meant any more.
    let output = harness(dir.path(), &["rerun", "run", "--where", "status=crash"]);
    expect(&output, 0);
    assert!(stderr(&output).contains("nothing is made again"), "{}", stderr(&output));
    assert_eq!(records(&run).len(), all + 2);

    for (conditions, why) in [("state=crash", "no field 'state'"), ("status", "FIELD=VALUE")] {
        let output = harness(dir.path(), &["rerun", "run", "--where", conditions]);
        expect(&output, 2);
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
}

#[test]
fn marks_without_new_records_are_records_to_be_made() {
    let dir = with_crashes();
    let run = dir.path().join("run");
    let lines = fs::read_to_string(run.join("records.jsonl")).unwrap();
    let first: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    // As after a kill between the marks and the records; the second mark is of another line than its key.
    let mark = |line: u32| {
        let key = serde_json::json!({"task": first["task"], "strategy": first["strategy"], "repeat": first["repeat"]});
        serde_json::json!({"line": line, "key": key, "why": "status=crash", "marked_unix_s": 0.0}).to_string()
    };
    fs::write(run.join("superseded.jsonl"), format!("{}\n{}\n{{\"li", mark(1), mark(2))).unwrap();
    expect(&harness(dir.path(), &["report", "run"]), 30);
    assert_eq!(results(&run).len(), planned(&run) - 1);
    expect(&harness(dir.path(), &["compare", "a.yaml", "--out", "run", "--no-progress"]), 0);
    assert_eq!(results(&run).len(), planned(&run));
}

#[test]
fn a_rerun_that_was_killed_is_gone_on_with_and_records_are_counted_once() {
    let dir = with_crashes();
    let run = dir.path().join("run");
    let rerun = ["rerun", "run", "--where", "status=crash", "--no-progress"];
    let before = fs::read_to_string(run.join("records.jsonl")).unwrap();
    expect(&harness(dir.path(), &rerun), 0);
    // As after a kill between the marks and the records.
    fs::write(run.join("records.jsonl"), &before).unwrap();
    let output = harness(dir.path(), &["report", "run"]);
    assert!(
        fs::read_to_string(run.join("summary.md")).unwrap().contains("2 records are marked to be made again")
    );
    expect(&output, 30);
    let output = harness(dir.path(), &rerun);
    expect(&output, 0);
    assert!(
        stderr(&output).contains("2 records are made that an earlier rerun marked"),
        "{}",
        stderr(&output)
    );
    assert_eq!((results(&run).len(), marks(&run).len()), (planned(&run), 2));
    // Once more, for other reasons: the same records.
    let second = ["rerun", "run", "--where", "strategy=classes-*", "--no-progress"];
    expect(&harness(dir.path(), &second), 0);
    expect(&harness(dir.path(), &second), 0);
    // As after a kill before the last record: what this command has made already is not made a second time.
    let records = fs::read_to_string(run.join("records.jsonl")).unwrap();
    let last = records.trim_end().rfind('\n').unwrap() + 1;
    fs::write(run.join("records.jsonl"), &records[..last]).unwrap();
    let output = harness(dir.path(), &second);
    expect(&output, 0);
    assert!(stderr(&output).contains("1 record is made that an earlier rerun marked"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("made again;"), "{}", stderr(&output));
    let output = harness(dir.path(), &["rerun", "run", "--where", "strategy=none"]);
    let all = results(&run).iter().filter(|row| row.iter().any(|cell| cell == "classes-lazy")).count();
    let note = format!("{all} records were made again (status=crash; strategy=classes-*)");
    assert!(stdout(&output).contains(&note), "{note}: {}", stdout(&output));
}

#[test]
fn every_line_of_a_record_that_is_made_again_is_marked() {
    let dir = with_crashes();
    let run = dir.path().join("run");
    let before = fs::read_to_string(run.join("records.jsonl")).unwrap();
    let struck = before.lines().find(|line| line.contains("signal")).unwrap();
    // A second record of the same key, which would count when only the first is marked.
    fs::write(run.join("records.jsonl"), format!("{before}{struck}\n")).unwrap();
    expect(&harness(dir.path(), &["rerun", "run", "--where", "status=crash", "--no-progress"]), 0);
    assert_eq!(results(&run).iter().filter(|row| row[5] == "crash").count(), 0);
    assert_eq!((marks(&run).len(), results(&run).len()), (3, planned(&run)));
}

#[test]
fn strategies_and_repeats_are_added_and_a_refusal_says_what_differs() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| fs::write(dir.path().join(name), text).unwrap();
    write("a.yaml", small("[sfa-ranges-lazy, classes-lazy]"));
    write("b.yaml", small("[sfa-bdd-lazy, sfa-ranges-lazy, classes-lazy]") + "repeats: 2\n");
    write("c.yaml", small("[sfa-bdd-lazy, classes-lazy]") + "seed: 9\n");
    expect(&harness(dir.path(), &["compare", "a.yaml", "--out", "run", "--no-progress"]), 0);
    let run = dir.path().join("run");
    let before = fs::read_to_string(run.join("records.jsonl")).unwrap();

    let output = harness(dir.path(), &["compare", "b.yaml", "--out", "run", "--no-progress"]);
    expect(&output, 2);
    let said = stderr(&output);
    for what in ["another plan", "only now: sfa-bdd-lazy", "repeats: 1 then, 2 now", "--extend' adds"] {
        assert!(said.contains(what), "{what}: {said}");
    }
    let output = harness(dir.path(), &["compare", "b.yaml", "--out", "run", "--extend", "--no-progress"]);
    expect(&output, 0);
    assert!(fs::read_to_string(run.join("records.jsonl")).unwrap().starts_with(&before));
    assert_eq!((planned(&run), results(&run).len()), (7 * 3 * 2, 7 * 3 * 2));
    // What is less, or other, is no extension.
    for extend in [&[][..], &["--extend"]] {
        let args = [&["compare", "c.yaml", "--out", "run"], extend].concat();
        let output = harness(dir.path(), &args);
        expect(&output, 2);
        let said = stderr(&output);
        assert!(said.contains("only then: sfa-ranges-lazy") && said.contains("seed:"), "{said}");
    }
    let output = harness(dir.path(), &["compare", "a.yaml", "--out", "run", "--extend"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("repeats: 2 then, 1 now"), "{}", stderr(&output));
}

#[test]
fn cores_are_chosen_and_shared() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.yaml"), small("[classes-lazy]")).unwrap();
    let last = harness_exec::machine::cores().into_iter().last().unwrap();
    let list = last.to_string();
    let args = ["compare", "a.yaml", "--out", "run", "--workers", "1", "--cores", &list, "--no-progress"];
    expect(&harness(dir.path(), &args), 0);
    // Where this thread can be bound to it, so can a worker.
    let (before, mut only) =
        (rustix::thread::sched_getaffinity(None).unwrap(), rustix::thread::CpuSet::new());
    only.set(usize::try_from(last).unwrap());
    let bindable = rustix::thread::sched_setaffinity(None, &only).is_ok();
    rustix::thread::sched_setaffinity(None, &before).unwrap();
    let wanted = if bindable { serde_json::json!(last) } else { serde_json::Value::Null };
    let made = records(&dir.path().join("run"));
    assert_eq!(made.len(), planned(&dir.path().join("run")));
    for record in made {
        assert_eq!(record["core"], wanted);
    }
    for (list, why) in
        [("8000", "core 8000 is none"), ("x", "no number of a core"), ("2-1", "before it begins")]
    {
        let output =
            harness(dir.path(), &["compare", "a.yaml", "--out", "other", "--workers", "1", "--cores", list]);
        expect(&output, 2);
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
        assert!(!dir.path().join("other").exists());
    }
    // Held by this process, as by another run.
    let held = dir.path().join("runtime");
    let folder = held.join("harness-cores");
    fs::create_dir_all(&folder).unwrap();
    let cores = harness_exec::machine::cores();
    let locks: Vec<fs::File> = cores
        .iter()
        .map(|core| {
            let file = fs::File::create(folder.join(format!("core-{core}"))).unwrap();
            rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive).unwrap();
            file
        })
        .collect();
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    let mut command = crate::command(
        dir.path(),
        &["compare", "a.yaml", "--out", "busy", "--workers", "1", "--no-progress"],
    );
    let output = command.env("XDG_RUNTIME_DIR", &held).output().unwrap();
    expect(&output, 0);
    assert!(stderr(&output).contains("another run has core"), "{}", stderr(&output));
    let output = crate::command(dir.path(), &["doctor"]).env("XDG_RUNTIME_DIR", &held).output().unwrap();
    assert!(stdout(&output).contains("other runs have"), "{}", stdout(&output));
    drop(locks);
    let output = crate::command(dir.path(), &["doctor"]).env("XDG_RUNTIME_DIR", &held).output().unwrap();
    assert!(stdout(&output).contains("no other run has one"), "{}", stdout(&output));
}
