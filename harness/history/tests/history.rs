//! Runs added and read back; files that are damaged, foreign, older or newer.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod support;

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use harness_history::{Added, History, HistoryError, Selector};
use harness_store::{RunDir, RunReader, Superseded};
use rusqlite::Connection;
use support::{info, tasks, write};

fn commit(name: &str) -> Selector {
    Selector::Commit(name.to_owned())
}

/// A history with the runs of three days: two of commit `aaaa1111`, one of `aaaa2222`.
fn three(folder: &Path) -> History {
    let tasks = tasks(3);
    let mut history = History::create(folder.join("h.sqlite")).unwrap();
    for (day, name) in [(0, "aaaa1111"), (1, "aaaa1111"), (2, "aaaa2222")] {
        let dir = folder.join(format!("run-{day}"));
        write(&dir, &info(&tasks, day), &tasks, |task, _| Some(task as u64 + 1));
        history.add(&dir, Some(name)).unwrap();
    }
    history
}

#[test]
fn a_run_comes_back_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let history = three(folder.path());
    let run = history.run(&Selector::Number(2), None).unwrap();
    let dir = RunReader::open(folder.path().join("run-1")).unwrap();
    assert_eq!(&run.head.info, dir.info());
    assert_eq!(run.tasks, dir.tasks());
    assert_eq!(run.records, dir.load().unwrap().records);
    assert_eq!(run.damaged, []);
    // Tasks are kept once.
    let file = Connection::open(history.path()).unwrap();
    let kept: i64 = file.query_row("SELECT count(*) FROM task", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 3);
}

/// Lines of records are much alike, and are kept compressed.
#[test]
fn the_file_is_a_fraction_of_the_records() {
    let folder = tempfile::tempdir().unwrap();
    let tasks = tasks(1_500);
    let mut history = History::create(folder.path().join("h.sqlite")).unwrap();
    let mut bytes = 0;
    for day in 0..3 {
        let dir = folder.path().join(format!("run-{day}"));
        write(&dir, &info(&tasks, day), &tasks, |task, _| Some(task as u64 + 1));
        history.add(&dir, Some("aaaa1111")).unwrap();
        bytes += fs::metadata(dir.join("records.jsonl")).unwrap().len();
    }
    let kept = fs::metadata(history.path()).unwrap().len();
    drop(history);
    assert!(4 * kept < bytes, "{kept} bytes for {bytes}");
}

#[test]
fn adding_again_changes_nothing_and_adding_more_replaces() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, tasks) = (folder.path().join("run"), tasks(4));
    write(&dir, &info(&tasks, 0), &tasks, |task, _| (task < 2).then_some(1));
    let mut history = History::create(folder.path().join("h.sqlite")).unwrap();
    assert_eq!(history.add(&dir, Some("one")).unwrap(), Added::New { number: 1 });
    let before = fs::read(history.path()).unwrap();
    assert_eq!(history.add(&dir, Some("one")).unwrap(), Added::Same { number: 1 });
    assert_eq!(history.add(&dir, None).unwrap(), Added::Same { number: 1 });
    assert_eq!(fs::read(history.path()).unwrap(), before);

    write(&dir, &info(&tasks, 0), &tasks, |_, _| Some(1));
    assert_eq!(history.add(&dir, None).unwrap(), Added::Replaced { number: 1, before: 4, commit: None });
    let changed = Added::Replaced { number: 1, before: 8, commit: Some("one".to_owned()) };
    assert_eq!(history.add(&dir, Some("two")).unwrap(), changed);
    let run = history.run(&Selector::Latest, None).unwrap();
    assert_eq!((run.records.len(), run.head.commit.as_deref()), (8, Some("two")));
    assert_eq!(history.list().unwrap().len(), 1);
}

/// The two runs of `harness regress --against`: one plan, machine and start, two programs.
#[test]
fn two_builds_that_ran_together_are_two_runs() {
    let folder = tempfile::tempdir().unwrap();
    let tasks = tasks(2);
    let (this, other) = (folder.path().join("ag"), folder.path().join("ag/against"));
    for (dir, program, ms) in [(&this, "100 bytes", 1), (&other, "101 bytes", 2)] {
        let mut info = info(&tasks, 0);
        info.versions.insert("program".into(), program.into());
        write(dir, &info, &tasks, |_, _| Some(ms));
    }
    let mut history = History::create(folder.path().join("h.sqlite")).unwrap();
    assert_eq!(history.add(&this, None).unwrap(), Added::New { number: 1 });
    assert_eq!(history.add(&other, None).unwrap(), Added::New { number: 2 });
    assert_eq!(history.add(&this, None).unwrap(), Added::Same { number: 1 });
    // In a file of a build that did not tell programs apart, the run is found under its older name, but not
    // the other build's.
    let legacy = folder.path().join("legacy.sqlite");
    write(&folder.path().join("plain"), &info(&tasks, 0), &tasks, |_, _| Some(1));
    let mut history = History::create(&legacy).unwrap();
    assert_eq!(history.add(&folder.path().join("plain"), None).unwrap(), Added::New { number: 1 });
    assert_eq!(history.add(&other, None).unwrap(), Added::New { number: 2 });
    assert!(matches!(history.add(&this, None).unwrap(), Added::Replaced { number: 1, .. }));
    assert_eq!(history.add(&this, None).unwrap(), Added::Same { number: 1 });
}

#[test]
fn records_that_are_there_are_not_thrown_away_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let tasks = tasks(3);
    let dirs = ["whole", "part", "other"].map(|name| folder.path().join(name));
    let [whole, part, other] = &dirs;
    write(whole, &info(&tasks, 0), &tasks, |_, _| Some(1));
    write(part, &info(&tasks, 0), &tasks, |task, _| (task > 0).then_some(1));
    write(other, &info(&tasks, 0), &tasks, |_, _| Some(2));
    let mut history = History::create(folder.path().join("h.sqlite")).unwrap();
    history.add(whole, Some("one")).unwrap();
    for (dir, commit, gone) in [(part, None, 2), (part, Some("one"), 2), (other, None, 6)] {
        let error = history.add(dir, commit).unwrap_err();
        assert!(
            matches!(error, HistoryError::Fewer { number: 1, lost, stored: 6, .. } if lost == gone),
            "{error}"
        );
        assert!(error.to_string().contains("--replace"), "{error}");
    }
    assert_eq!(history.run(&Selector::Number(1), None).unwrap().records.len(), 6);
    // Of another commit, other records are another run, once.
    assert_eq!(history.add(other, Some("two")).unwrap(), Added::New { number: 2 });
    assert_eq!(history.add(other, Some("two")).unwrap(), Added::Same { number: 2 });
    let replaced = Added::Replaced { number: 1, before: 6, commit: None };
    assert_eq!(history.replace(part, None).unwrap(), replaced);
    assert_eq!(history.list().unwrap().iter().map(|head| head.records).collect::<Vec<_>>(), [4, 6]);
}

#[test]
fn a_damaged_run_is_mended_by_its_directory() {
    let folder = tempfile::tempdir().unwrap();
    let path = three(folder.path()).path().to_owned();
    let whole = fs::read(&path).unwrap();
    let good = History::open(&path).unwrap().run(&Selector::Number(1), None).unwrap();
    let dir = folder.path().join("run-0");
    for sql in [
        "UPDATE run SET digest = 'another' WHERE id = 1",
        "UPDATE part SET body = zeroblob(100) WHERE run = 1",
        "UPDATE part SET length = length + 1 WHERE run = 1",
        "DELETE FROM part WHERE run = 1",
        "UPDATE task SET body = replace(body, 'a{1}', 'b{1}')",
        "UPDATE task SET body = '{}'",
        "UPDATE run SET info = '{' WHERE id = 1",
        "UPDATE run SET pace = '{' WHERE id = 1",
        "UPDATE run SET records = -1 WHERE id = 1",
    ] {
        fs::write(&path, &whole).unwrap();
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let mut history = History::open(&path).unwrap();
        assert!(history.run(&Selector::Number(1), None).is_err(), "{sql}");
        let added = history.replace(&dir, None).unwrap();
        assert!(matches!(added, Added::Replaced { number: 1, .. }), "{sql}: {added:?}");
        assert_eq!(history.run(&Selector::Number(1), None).unwrap(), good, "{sql}");
        assert_eq!(history.add(&dir, None).unwrap(), Added::Same { number: 1 }, "{sql}");
    }
    // Where the directory may have less than what cannot be read any more, it is asked for.
    let tasks = tasks(3);
    let part = folder.path().join("part");
    write(&part, &info(&tasks, 0), &tasks, |task, _| (task > 0).then_some(task as u64 + 1));
    fs::write(&path, &whole).unwrap();
    Connection::open(&path).unwrap().execute_batch("UPDATE part SET body = zeroblob(100)").unwrap();
    let mut history = History::open(&path).unwrap();
    let error = history.add(&part, None).unwrap_err();
    assert!(matches!(error, HistoryError::DamagedRun { number: 1, .. }), "{error}");
    assert!(error.to_string().contains("--replace"), "{error}");
    history.replace(&part, None).unwrap();
    assert_eq!(history.run(&Selector::Number(1), None).unwrap().records.len(), 4);
}

#[test]
fn what_was_measured_of_the_machine_is_added_to_a_run_that_lacks_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut history = three(folder.path());
    let dir = folder.path().join("run-0");
    let line = r#"{"kind":"empty","cpu_ns":2000,"wall_ns":3000,"started_unix_s":0.0,"core":null}"#;
    fs::write(dir.join("calibration.jsonl"), format!("{line}\n").repeat(5)).unwrap();
    assert!(matches!(history.add(&dir, None).unwrap(), Added::Replaced { number: 1, .. }));
    assert_eq!(history.find(&Selector::Number(1), None).unwrap().pace.empty_ns, Some(2000));
}

#[test]
fn records_that_were_made_again_are_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let tasks = tasks(2);
    let dir = folder.path().join("run");
    write(&dir, &info(&tasks, 0), &tasks, |_, _| Some(1));
    let mut history = History::create(folder.path().join("h.sqlite")).unwrap();
    history.add(&dir, Some("one")).unwrap();
    let before = RunReader::open(&dir).unwrap().load().unwrap().records;
    let again = before[1].key.clone();
    let mut run = RunDir::create_or_resume(&dir, &info(&tasks, 0), &tasks).unwrap();
    let mark = Superseded { line: 2, key: again.clone(), why: "asked for".into(), marked_unix_s: 0.0 };
    run.supersede(&[mark]).unwrap();
    run.finish().unwrap();
    // A mark alone is not enough: the record would be missing.
    let error = history.add(&dir, None).unwrap_err();
    assert!(matches!(error, HistoryError::Fewer { lost: 1, stored: 4, .. }), "{error}");
    write(&dir, &info(&tasks, 0), &tasks, |_, _| Some(2));
    assert_eq!(history.add(&dir, None).unwrap(), Added::Replaced { number: 1, before: 4, commit: None });
    let records = history.run(&Selector::Latest, None).unwrap().records;
    let cpu = |key| records.iter().find(|r| &r.key == key).and_then(|r| r.usage).unwrap().cpu_ns;
    assert_eq!((records.len(), cpu(&again), cpu(&before[0].key)), (4, 2_000_000, 1_000_000));
}

#[test]
fn a_run_is_not_its_own_baseline() {
    let folder = tempfile::tempdir().unwrap();
    let history = three(folder.path());
    let like = |day| info(&tasks(3), day);
    assert_eq!(history.find(&Selector::Latest, Some(&like(2))).unwrap().number, 2);
    assert_eq!(history.find(&commit("aaaa1111"), Some(&like(1))).unwrap().number, 1);
    for selector in [commit("aaaa2222"), Selector::Number(3)] {
        let error = history.find(&selector, Some(&like(2))).unwrap_err();
        assert!(matches!(error, HistoryError::OnlyItself { number: 3, .. }), "{error}");
    }
    assert_eq!(history.find(&Selector::Number(3), None).unwrap().number, 3);
}

#[test]
fn what_is_no_file_is_refused() {
    for name in ["", ":memory:", "file::memory:", "file:x?mode=memory"] {
        assert!(matches!(History::create(name), Err(HistoryError::NoFile { .. })), "{name}");
    }
}

#[test]
fn runs_are_found_by_commit_number_and_likeness() {
    let folder = tempfile::tempdir().unwrap();
    let mut history = three(folder.path());
    let find = |history: &History, selector: &Selector| history.find(selector, None).map(|head| head.number);
    assert_eq!(find(&history, &Selector::Latest).unwrap(), 3);
    assert_eq!(find(&history, &commit("aaaa1111")).unwrap(), 2);
    assert_eq!(find(&history, &commit("aaaa2")).unwrap(), 3);
    assert!(
        matches!(find(&history, &commit("aaaa")), Err(HistoryError::Ambiguous { commits, .. }) if commits.len() == 2)
    );
    assert!(matches!(find(&history, &commit("aaa")), Err(HistoryError::NoSuchRun { .. })));
    assert!(matches!(find(&history, &Selector::Number(9)), Err(HistoryError::NoSuchRun { .. })));

    // The last run is of another machine and plan, and the one before it has a hole: the one before that is
    // the baseline.
    let (few, many) = (tasks(3), tasks(5));
    let mut elsewhere = info(&few, 8);
    elsewhere.machine.cpu = "Another processor".into();
    write(&folder.path().join("elsewhere"), &elsewhere, &few, |_, _| Some(1));
    write(&folder.path().join("hole"), &info(&few, 7), &few, |task, _| (task > 0).then_some(1));
    write(&folder.path().join("other"), &info(&many, 9), &many, |_, _| Some(1));
    for name in ["elsewhere", "hole", "other"] {
        history.add(&folder.path().join(name), None).unwrap();
    }
    let like = info(&few, 20);
    assert_eq!(history.find(&Selector::Latest, Some(&like)).unwrap().number, 3);
    assert_eq!(history.find(&Selector::Latest, None).unwrap().info.tasks, 5);
    // Where nothing is alike, there still is an answer, which the reader may refuse.
    assert_eq!(history.find(&Selector::Latest, Some(&info(&tasks(1), 0))).unwrap().info.tasks, 5);
}

#[test]
fn lines_that_cannot_be_read_are_kept_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, tasks) = (folder.path().join("run"), tasks(2));
    write(&dir, &info(&tasks, 0), &tasks, |_, _| Some(1));
    let mut file = OpenOptions::new().append(true).open(dir.join("records.jsonl")).unwrap();
    file.write_all(b"{\"broken\n{\"version\"").unwrap();
    let mut history = History::create(folder.path().join("h.sqlite")).unwrap();
    history.add(&dir, None).unwrap();
    let run = history.run(&Selector::Latest, None).unwrap();
    assert_eq!((run.records.len(), run.head.damaged), (4, 2));
    assert_eq!(run.damaged, RunReader::open(&dir).unwrap().load().unwrap().damaged);
    assert_eq!(run.damaged[0].line, 5);
}

#[test]
fn what_holds_no_run_is_not_added() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, tasks) = (folder.path().join("run"), tasks(2));
    let mut history = History::create(folder.path().join("h.sqlite")).unwrap();
    assert!(matches!(history.add(&dir, None), Err(HistoryError::Run(_))));
    write(&dir, &info(&tasks, 0), &tasks, |_, _| Some(1));
    fs::write(dir.join("records.jsonl"), "nonsense\n").unwrap();
    let error = history.add(&dir, None).unwrap_err();
    assert!(
        matches!(error, HistoryError::NoRecords { .. }) && error.to_string().contains("line 1"),
        "{error}"
    );
    let text = fs::read_to_string(dir.join("tasks.jsonl")).unwrap();
    fs::write(dir.join("tasks.jsonl"), text.replace("a{1}", "a{9}")).unwrap();
    assert!(matches!(history.add(&dir, None), Err(HistoryError::TasksChanged { .. })));
    assert_eq!(history.list().unwrap(), []);
}

#[test]
fn an_older_file_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.sqlite");
    Connection::open(&path).unwrap().execute_batch(include_str!("fixtures/version-1.sql")).unwrap();
    let mut history = History::open(&path).unwrap();
    let run = history.run(&commit("5eed"), None).unwrap();
    assert_eq!((run.tasks.len(), run.records.len(), run.damaged.len()), (2, 3, 0));
    assert_eq!(run.records[2].usage.unwrap().cpu_ns, 3_000_000);
    let version = |path: &Path| -> i64 {
        let file = Connection::open(path).unwrap();
        file.query_row("SELECT user_version FROM pragma_user_version", [], |row| row.get(0)).unwrap()
    };
    assert_eq!(version(&path), harness_history::schema::VERSION);
    // And it goes on as a new one would.
    let dir = folder.path().join("run");
    write(&dir, &info(&tasks(2), 1), &tasks(2), |_, _| Some(1));
    assert_eq!(history.add(&dir, None).unwrap(), Added::New { number: 2 });
    assert_eq!(History::open(&path).unwrap().list().unwrap().len(), 2);
}

#[test]
fn a_newer_a_foreign_and_no_file_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = three(folder.path()).path().to_owned();
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let error = History::open(&path).unwrap_err();
    assert!(matches!(error, HistoryError::Newer { found: 99, .. }), "{error}");
    assert!(error.to_string().contains("update harness"));
    assert!(matches!(History::create(&path), Err(HistoryError::Newer { .. })));

    let foreign = folder.path().join("foreign.sqlite");
    Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE run (id)").unwrap();
    assert!(matches!(History::create(&foreign), Err(HistoryError::NotOurs { .. })));

    let none = folder.path().join("none.sqlite");
    assert!(matches!(History::open(&none), Err(HistoryError::None { .. })));
    assert!(!none.exists());
}

#[test]
fn damage_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = three(folder.path()).path().to_owned();
    let whole = fs::read(&path).unwrap();

    let text = folder.path().join("text");
    fs::write(&text, "this is no database, though it is long enough to be looked at ".repeat(40)).unwrap();
    assert!(matches!(History::open(&text), Err(HistoryError::NotOurs { .. })));
    assert_eq!(fs::read(&text).unwrap().len(), 62 * 40, "left alone");

    // Pages overwritten anywhere: an error, or what was there.
    let good = History::open(&path).unwrap().run(&Selector::Number(1), None).unwrap();
    for page in 0..whole.len() / 4096 {
        let mut bytes = whole.clone();
        bytes[page * 4096..(page + 1) * 4096].fill(0x5a);
        fs::write(&path, bytes).unwrap();
        match History::open(&path).and_then(|history| history.run(&Selector::Number(1), None)) {
            Ok(run) => assert_eq!(run, good, "page {page}"),
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains("h.sqlite"), "page {page}: {text}");
            }
        }
    }
    fs::write(&path, &whole).unwrap();

    let change = |sql: &str| {
        fs::write(&path, &whole).unwrap();
        let file = Connection::open(&path).unwrap();
        file.execute_batch(sql).unwrap();
        History::open(&path)
            .and_then(|history| history.run(&Selector::Number(1), None))
            .unwrap_err()
            .to_string()
    };
    for (sql, what) in [
        ("UPDATE run SET digest = 'another' WHERE id = 1", "records are not those"),
        ("UPDATE part SET body = zeroblob(100) WHERE run = 1", "records cannot be unpacked"),
        ("UPDATE part SET length = length + 1 WHERE run = 1", "records cannot be unpacked"),
        ("DELETE FROM part WHERE run = 1", "records"),
        ("UPDATE task SET body = replace(body, 'a{1}', 'b{1}')", "tasks"),
        ("UPDATE task SET body = '{}'", "task 1"),
        ("UPDATE run SET info = '{'", "its head"),
        ("UPDATE run SET records = -1", "damaged"),
    ] {
        let text = change(sql);
        assert!(
            text.contains("damaged") && text.contains(what) && text.contains("built again"),
            "{sql}: {text}"
        );
    }
}

#[test]
fn who_comes_second_waits_or_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut history = three(folder.path());
    let other = Connection::open(history.path()).unwrap();
    history.wait(std::time::Duration::from_millis(1)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = history.add(&folder.path().join("run-0"), Some("other")).unwrap_err();
    assert!(matches!(error, HistoryError::Busy { .. }), "{error}");
    other.execute_batch("ROLLBACK").unwrap();
    history.add(&folder.path().join("run-0"), Some("other")).unwrap();
}
