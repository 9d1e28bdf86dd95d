//! The write side: what is made, resumed and refused, and what a kill leaves.

#![expect(clippy::unwrap_used, reason = "a test")]

mod common;

use std::fs;
use std::path::Path;

use common::{info, record, tasks};
use harness_model::Verdict;
use harness_store::{
    Notice, RECORDS_FILE, RUN_FILE, RunDir, RunReader, StoreError, Superseded, TASKS_FILE, glance,
};

fn refusal(path: &Path) -> String {
    let tasks = tasks(3);
    RunDir::create_or_resume(path, &info(&tasks), &tasks).unwrap_err().to_string()
}

#[test]
fn made_written_and_read_again() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("deep/out");
    let tasks = tasks(3);
    let mut run = RunDir::create_or_resume(&path, &info(&tasks), &tasks).unwrap();
    assert!(!run.resumed() && run.done().is_empty() && run.notices().is_empty());
    // Readable before the first record, and while it goes on.
    assert_eq!(RunReader::open(&path).unwrap().load().unwrap().records, []);
    for i in 0..3 {
        run.append(&record(i)).unwrap();
        assert_eq!(RunReader::open(&path).unwrap().load().unwrap().records.len(), i + 1);
    }
    run.finish().unwrap();
    let reader = RunReader::open(&path).unwrap();
    assert_eq!(reader.info(), &info(&tasks));
    assert_eq!(reader.tasks(), tasks);
    let loaded = reader.load().unwrap();
    assert_eq!(loaded.records, [record(0), record(1), record(2)]);
    assert_eq!(loaded.damaged, []);
}

#[test]
fn resumed_with_what_decides_no_run_brought_up_to_date() {
    let root = tempfile::tempdir().unwrap();
    let mut tasks = tasks(3);
    let mut run = RunDir::create_or_resume(root.path(), &info(&tasks), &tasks).unwrap();
    run.append(&record(1)).unwrap();
    drop(run);

    tasks[0].expected.as_mut().unwrap().verdicts = vec![Verdict::Empty];
    let mut later = info(&tasks);
    later.started_unix_s += 1000.0;
    later.config = "name: small # with a remark\n".into();
    later.workers = 1;
    let run = RunDir::create_or_resume(root.path(), &later, &tasks).unwrap();
    assert!(run.resumed());
    assert_eq!(run.done().iter().collect::<Vec<_>>(), [&record(1).key]);
    assert_eq!(run.notices(), [Notice::OtherWorkers { before: 2, now: 1 }]);
    let reader = RunReader::open(root.path()).unwrap();
    assert_eq!(reader.info().config, later.config);
    assert_eq!(reader.info().started_unix_s, info(&tasks).started_unix_s);
    assert_eq!(reader.tasks(), tasks);
}

#[test]
fn a_key_is_recorded_once() {
    let root = tempfile::tempdir().unwrap();
    let tasks = tasks(2);
    let mut run = RunDir::create_or_resume(root.path(), &info(&tasks), &tasks).unwrap();
    run.append(&record(0)).unwrap();
    assert!(matches!(run.append(&record(0)), Err(StoreError::Duplicate { .. })));
    drop(run);
    // By hand, as two files joined would have it.
    let log = root.path().join(RECORDS_FILE);
    let mut text = fs::read_to_string(&log).unwrap();
    text.push_str(&text.replace("\"states\":12", "\"states\":99"));
    fs::write(&log, text).unwrap();
    let loaded = RunReader::open(root.path()).unwrap().load().unwrap();
    assert_eq!(loaded.records, [record(0)]);
    assert_eq!(loaded.damaged[0].line, 2);
    assert!(loaded.damaged[0].why.contains("t/0 by sfa-bdd-lazy (repeat 0)"), "{}", loaded.damaged[0]);
    let run = RunDir::create_or_resume(root.path(), &info(&tasks), &tasks).unwrap();
    assert!(matches!(run.notices(), [Notice::Damaged(damage)] if damage.line == 2));
}

#[test]
fn a_directory_that_is_taken_away_is_noticed() {
    let tasks = tasks(3);
    let deeds: [fn(&Path); 4] = [
        |path| fs::remove_dir_all(path).unwrap(),
        |path| fs::rename(path, path.with_extension("moved")).unwrap(),
        |path| fs::remove_file(path.join(RECORDS_FILE)).unwrap(),
        |path| {
            let log = path.join(RECORDS_FILE);
            fs::copy(&log, path.join("copy")).unwrap();
            fs::rename(path.join("copy"), log).unwrap();
        },
    ];
    for deed in deeds {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("out");
        let mut run = RunDir::create_or_resume(&path, &info(&tasks), &tasks).unwrap();
        run.append(&record(0)).unwrap();
        deed(&path);
        std::thread::sleep(std::time::Duration::from_millis(1100));
        let error = run.append(&record(1)).unwrap_err();
        assert!(matches!(error, StoreError::TakenAway { .. }), "{error}");
        let message = error.to_string();
        assert!(message.contains("records.jsonl") && message.contains("resumes"), "{message}");
        assert!(matches!(run.finish(), Err(StoreError::TakenAway { .. })));
    }
}

#[test]
fn wherever_the_log_is_torn_whole_records_stay_and_the_rest_is_made_again() {
    let root = tempfile::tempdir().unwrap();
    let tasks = tasks(3);
    let mut run = RunDir::create_or_resume(root.path(), &info(&tasks), &tasks).unwrap();
    for i in 0..3 {
        run.append(&record(i)).unwrap();
    }
    drop(run);
    let log = root.path().join(RECORDS_FILE);
    let whole = fs::read(&log).unwrap();
    for length in (0..=whole.len()).step_by(13).chain([whole.len() - 1, whole.len()]) {
        fs::write(&log, &whole[..length]).unwrap();
        let ended = whole[..length].iter().filter(|&&byte| byte == b'\n').count();
        let torn = length > 0 && whole[length - 1] != b'\n';
        assert_eq!(RunReader::open(root.path()).unwrap().load().unwrap().damaged.len(), usize::from(torn));
        let mut run = RunDir::create_or_resume(root.path(), &info(&tasks), &tasks).unwrap();
        assert_eq!(run.done().len(), ended);
        assert_eq!(matches!(run.notices(), [Notice::TornTail { .. }]), torn, "{:?}", run.notices());
        for i in ended..3 {
            run.append(&record(i)).unwrap();
        }
        drop(run);
        assert_eq!(fs::read(&log).unwrap(), whole);
    }
}

#[test]
fn a_damaged_line_costs_its_record_only() {
    let root = tempfile::tempdir().unwrap();
    let tasks = tasks(3);
    let mut run = RunDir::create_or_resume(root.path(), &info(&tasks), &tasks).unwrap();
    for i in 0..3 {
        run.append(&record(i)).unwrap();
    }
    drop(run);
    let log = root.path().join(RECORDS_FILE);
    let text = fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&log, format!("{}\n\0\0\0\0\n{}\n", lines[0], lines[2])).unwrap();
    let mut run = RunDir::create_or_resume(root.path(), &info(&tasks), &tasks).unwrap();
    assert!(!run.done().contains(&record(1).key) && run.done().contains(&record(2).key));
    let [Notice::Damaged(damage)] = run.notices() else { unreachable!("{:?}", run.notices()) };
    assert_eq!(damage.line, 2);
    run.append(&record(1)).unwrap();
    drop(run);
    let loaded = RunReader::open(root.path()).unwrap().load().unwrap();
    assert_eq!(loaded.records, [record(0), record(2), record(1)]);
    assert_eq!(loaded.damaged.len(), 1);
}

/// What a glance counts is what a reader of the records has, whatever is in the file.
#[test]
fn a_glance_counts_what_is_there() {
    let root = tempfile::tempdir().unwrap();
    assert_eq!(glance(root.path()).unwrap(), None);
    let tasks = tasks(4);
    let mut run = RunDir::create_or_resume(root.path(), &info(&tasks), &tasks).unwrap();
    assert_eq!(glance(root.path()).unwrap().unwrap().made, 0);
    for i in 0..4 {
        run.append(&record(i)).unwrap();
    }
    let mark = Superseded { line: 2, key: record(1).key, why: "crash".into(), marked_unix_s: 1.0 };
    run.supersede(&[mark]).unwrap();
    drop(run);
    let log = root.path().join(RECORDS_FILE);
    let text = fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    // A line twice, one that is damaged, one that is not finished.
    let torn = &lines[1][..lines[1].len() / 2];
    fs::write(&log, format!("{text}{}\n\0\0\0\n\n{torn}", lines[0])).unwrap();
    let found = glance(root.path()).unwrap().unwrap();
    assert_eq!(found.info, info(&tasks));
    assert_eq!(found.made, 3);
    assert_eq!(found.made, RunReader::open(root.path()).unwrap().load().unwrap().records.len() as u64);
}

#[test]
fn killed_before_the_run_began() {
    let root = tempfile::tempdir().unwrap();
    for name in [".lock", TASKS_FILE, "run.json.tmp"] {
        fs::write(root.path().join(name), "{").unwrap();
    }
    let tasks = tasks(3);
    let run = RunDir::create_or_resume(root.path(), &info(&tasks), &tasks).unwrap();
    assert!(!run.resumed());
    assert_eq!(RunReader::open(root.path()).unwrap().tasks(), tasks);
}

#[test]
fn one_writer_at_a_time() {
    let root = tempfile::tempdir().unwrap();
    let three = tasks(3);
    let run = RunDir::create_or_resume(root.path(), &info(&three), &three).unwrap();
    let message = refusal(root.path());
    assert!(message.contains(&format!("process {}", std::process::id())), "{message}");
    assert!(message.contains("--out"), "{message}");
    drop(run);
    RunDir::create_or_resume(root.path(), &info(&three), &three).unwrap();
}

#[test]
fn the_run_of_another_plan_is_refused_and_untouched() {
    let root = tempfile::tempdir().unwrap();
    let two = tasks(2);
    drop(RunDir::create_or_resume(root.path(), &info(&two), &two).unwrap());
    let before = fs::read(root.path().join(RUN_FILE)).unwrap();
    let message = refusal(root.path());
    assert!(message.contains("another plan") && message.contains("delete the directory"), "{message}");
    assert_eq!(fs::read(root.path().join(RUN_FILE)).unwrap(), before);
    assert_eq!(RunReader::open(root.path()).unwrap().tasks(), two);
}

#[test]
fn a_run_made_under_other_conditions_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let three = tasks(3);
    let mut other = info(&three);
    other.machine.kernel = "Linux 5.10".into();
    other.versions.insert("z3".into(), "5.4.1".into());
    drop(RunDir::create_or_resume(root.path(), &other, &three).unwrap());
    let message = refusal(root.path());
    for part in ["kernel: 'Linux 5.10' then, 'Linux 6.1' now", "z3: '5.4.1' then, 'none' now", "--out"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn what_is_not_ours_is_refused_and_untouched() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("thesis.tex"), "years of work").unwrap();
    let message = refusal(root.path());
    assert!(message.contains("thesis.tex") && message.contains("--out"), "{message}");
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    let file = root.path().join("thesis.tex");
    assert!(refusal(&file).contains("--out"));
    assert_eq!(fs::read_to_string(file).unwrap(), "years of work");
}

#[test]
fn a_head_that_cannot_be_read() {
    let root = tempfile::tempdir().unwrap();
    let three = tasks(3);
    drop(RunDir::create_or_resume(root.path(), &info(&three), &three).unwrap());
    let head = root.path().join(RUN_FILE);
    let text = fs::read_to_string(&head).unwrap();
    fs::write(&head, text.replace("\"major\": 1", "\"major\": 2")).unwrap();
    assert!(refusal(root.path()).contains("newer than this build"));
    assert!(matches!(RunReader::open(root.path()), Err(StoreError::Version { .. })));
    fs::write(&head, text.replace("\"seed\": 7", "\"seed\": seven")).unwrap();
    let line = text.lines().position(|l| l.contains("\"seed\"")).unwrap() + 1;
    assert!(refusal(root.path()).contains(&format!("run.json:{line}:")), "{}", refusal(root.path()));
}

#[test]
fn reading_where_there_is_no_run() {
    let root = tempfile::tempdir().unwrap();
    for path in [root.path().to_owned(), root.path().join("nowhere")] {
        let message = RunReader::open(path).unwrap_err().to_string();
        assert!(message.contains("harness compare"), "{message}");
    }
}
