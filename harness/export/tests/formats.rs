//! What is exported of a small run, read back by other means than it was written with, where there are any.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use harness_export::{Exported, Format, export};
use harness_model::judgement::Judgement;
use harness_model::record::{
    PhaseTime, Record, RecordVersion, RunKey, Termination, TimeLimit, Usage, WarmTime,
};
use harness_model::run::{Machine, ReportSpec, RunInfo, StrategyRow};
use harness_model::task::Expected;
use harness_model::{Alphabet, Answer, Limits, Question, Status, Task, Verdict};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::RowAccessor as _;
use reports::{Dataset, Row, results};
use rusqlite::Connection;

fn script(id: &str, text: &str, queries: usize, expected: Option<Verdict>) -> Task {
    Task {
        parameters: Default::default(),
        id: id.to_owned(),
        family: "f".to_owned(),
        question: Question::of_script(Alphabet::Unicode, text, queries),
        expected: expected.map(|verdict| Expected { verdicts: vec![verdict], source: "by hand".to_owned() }),
    }
}

fn row(task: &Task, strategy: &str, status: Status, said: Option<Verdict>, termination: Termination) -> Row {
    let warm = WarmTime { samples: 3, median_ns: 5, mad_ns: 1, min_ns: 4, max_ns: 9 };
    Row {
        record: Record {
            version: RecordVersion::CURRENT,
            key: RunKey { task: task.id.clone(), strategy: strategy.to_owned(), repeat: 0 },
            family: task.family.as_str().into(),
            alphabet: task.question.alphabet,
            termination,
            answers: said.map(Answer::of).into_iter().collect(),
            usage: Some(Usage { wall_ns: 1_500_000_001, cpu_ns: 7, peak_rss_bytes: 4097 }),
            method: "made up".into(),
            phases: [("solve".to_owned(), PhaseTime { cold_ns: 10, warm: said.map(|_| warm) })].into(),
            counters: [("states".to_owned(), u64::MAX)].into(),
            stderr: String::new(),
            started_unix_s: 1e9,
            core: None,
        },
        judgement: Judgement {
            status,
            expected: task.expected.as_ref().map(|expected| expected.verdicts[0]),
            witness: (status == Status::Answered(Verdict::Sat)).then(|| "a, \"b\"\n<c>".to_owned()),
            detail: String::new(),
        },
    }
}

fn small() -> Dataset {
    let tasks = [
        script(
            "c/<a>&\u{1}.smt2",
            "(set-logic QF_S)(assert (= (str.len x) 1))(check-sat)",
            1,
            Some(Verdict::Sat),
        ),
        script("c/d/b.smt2", "(set-logic QF_SLIA)(check-sat)", 1, None),
        script("c/two.smt2", "(set-logic QF_S)(check-sat)(check-sat)", 2, None),
        script("c/no-logic.smt2", "(check-sat)", 1, None),
    ];
    let (sat, unsat) = (Some(Verdict::Sat), Some(Verdict::Unsat));
    let rows = vec![
        row(&tasks[0], "one", Status::Answered(Verdict::Sat), sat, Termination::Answered),
        row(&tasks[0], "an/other", Status::Wrong, unsat, Termination::Answered),
        row(&tasks[1], "one", Status::Answered(Verdict::Unsat), unsat, Termination::Answered),
        row(&tasks[1], "an/other", Status::Timeout, None, Termination::Timeout(TimeLimit::Wall)),
        row(&tasks[2], "one", Status::Unsupported, None, Termination::Unsupported("x".to_owned())),
        row(&tasks[3], "one", Status::Crash, None, Termination::Signal(11)),
    ];
    let second = Duration::from_secs(1);
    let run = RunInfo {
        version: RecordVersion::CURRENT,
        name: "a run".to_owned(),
        config: "name: a run".to_owned(),
        fingerprint: "0".to_owned(),
        tasks_digest: None,
        seed: 1,
        workers: 1,
        limits: Limits { wall: second, cpu: second, memory: 1 << 30 },
        sampling: None,
        repeats: 1,
        planned: 6,
        tasks: 4,
        strategies: ["one", "an/other"]
            .map(|name| StrategyRow { name: name.to_owned(), ..StrategyRow::default() })
            .to_vec(),
        skipped: Vec::new(),
        left_out: Vec::new(),
        overrides: Default::default(),
        machine: Machine::default(),
        versions: Default::default(),
        started_unix_s: 1e9,
        report: ReportSpec::default(),
    };
    Dataset::new(run, tasks, rows, Vec::new(), Vec::new())
}

fn exported(format: Format) -> (tempfile::TempDir, Exported) {
    let dir = tempfile::tempdir().unwrap();
    let exported = export(&small(), format, dir.path()).unwrap();
    for file in &exported.files {
        assert!(file.starts_with(dir.path()) && file.is_file(), "{}", file.display());
    }
    let all = fs::read_dir(dir.path()).unwrap().count();
    assert_eq!(all, exported.files.len(), "nothing is left beside the files");
    (dir, exported)
}

fn text(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap()
}

#[test]
fn csv_has_the_rows_of_results() {
    let (dir, _) = exported(Format::Csv);
    assert_eq!(text(dir.path(), "records.csv"), results::results_csv(&small()));
    let tasks = text(dir.path(), "tasks.csv");
    assert!(tasks.contains(",script,1,53,QF_S,str.len,sat,by hand\n"), "{tasks}");
    assert_eq!(text(dir.path(), "strategies.csv").lines().count(), 3);
}

#[test]
fn parquet_is_read_back_cell_by_cell() {
    let (dir, _) = exported(Format::Parquet);
    let reader = SerializedFileReader::new(File::open(dir.path().join("records.parquet")).unwrap()).unwrap();
    let csv = results::results_csv(&small());
    let mut expected = csv::Reader::from_reader(csv.as_bytes());
    let names: Vec<String> = expected.headers().unwrap().iter().map(str::to_owned).collect();
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    assert_eq!(schema.columns().iter().map(|column| column.name()).collect::<Vec<_>>(), names);
    let mut rows = 0;
    for (row, expected) in reader.get_row_iter(None).unwrap().zip(expected.records()) {
        let (row, expected) = (row.unwrap(), expected.unwrap());
        rows += 1;
        for (place, name) in names.iter().enumerate() {
            let cell = &expected[place];
            if let Ok(text) = row.get_string(place) {
                assert_eq!(text, cell, "{name}");
            } else if let Ok(count) = row.get_ulong(place) {
                assert_eq!(count.to_string(), *cell, "{name}");
            } else if let Ok(seconds) = row.get_double(place) {
                assert_eq!(format!("{seconds:.9}"), *cell, "{name}");
            } else {
                assert_eq!(cell, "", "{name} is null");
            }
        }
    }
    assert_eq!(rows, 6);
}

#[test]
fn sqlite_has_phases_and_counters_of_each_record() {
    let (dir, _) = exported(Format::Sqlite);
    let database = Connection::open(dir.path().join("run.sqlite")).unwrap();
    let one = |query: &str| -> i64 { database.query_row(query, [], |row| row.get(0)).unwrap() };
    assert_eq!(one("SELECT count(*) FROM records"), 6);
    assert_eq!(one("SELECT sum(wall_ns) FROM records"), 6 * 1_500_000_001);
    assert_eq!(one("SELECT count(*) FROM phases WHERE name = 'solve' AND median_ns = 5"), 3);
    assert_eq!(one("SELECT count(*) FROM tasks WHERE operations = 'str.len'"), 1);
    // Larger than an integer of SQLite: nothing is lost.
    let count: String = database.query_row("SELECT value FROM counters", [], |row| row.get(0)).unwrap();
    assert_eq!(count, u64::MAX.to_string());
    let broken: Vec<String> = database
        .prepare("PRAGMA integrity_check")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(broken, ["ok"]);
}

#[test]
fn benchexec_has_a_file_for_each_strategy() {
    let (dir, exported) = exported(Format::Benchexec);
    let names: Vec<_> =
        exported.files.iter().map(|file| file.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["a-run.one.results.xml", "a-run.an-other.results.xml"]);
    let columns = |name: &str, title: &str| -> Vec<String> {
        let text = text(dir.path(), name);
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        let document = roxmltree::Document::parse_with_options(&text, options).unwrap();
        let runs = document.descendants().filter(|node| node.has_tag_name("run"));
        runs.map(|run| {
            let column = run.children().find(|node| node.attribute("title") == Some(title)).unwrap();
            column.attribute("value").unwrap().to_owned()
        })
        .collect()
    };
    // Tasks are in the order of their names.
    let statuses = columns("a-run.one.results.xml", "status");
    assert_eq!(statuses, ["true", "false", "KILLED BY SIGNAL 11", "unknown (unsupported)"]);
    let categories = columns("a-run.one.results.xml", "category");
    assert_eq!(categories, ["correct", "correct-unconfirmed", "error", "unknown"]);
    assert_eq!(columns("a-run.an-other.results.xml", "status"), ["false", "TIMEOUT"]);
    assert_eq!(columns("a-run.an-other.results.xml", "category"), ["wrong", "error"]);
    assert_eq!(columns("a-run.an-other.results.xml", "walltime")[0], "1.500000001s");
    assert!(text(dir.path(), names[0]).contains("c/&lt;a&gt;&amp;\\u{1}.smt2"));
}

#[test]
fn smtcomp_has_scripts_with_one_query_and_says_what_it_lacks() {
    let (dir, exported) = exported(Format::Smtcomp);
    let read: serde_json::Value = serde_json::from_str(&text(dir.path(), "results.json")).unwrap();
    let results = read["results"].as_array().unwrap();
    let of = |solver: &str, name: &str| {
        let found = results.iter().find(|r| r["solver"] == solver && r["file"]["name"] == name);
        found.unwrap()["result"].as_str().unwrap().to_owned()
    };
    assert_eq!(results.len(), 4);
    // A wrong answer is what was claimed; who reads it knows the benchmark's status.
    assert_eq!(of("an/other", "<a>&\u{1}.smt2"), "unsat");
    assert_eq!(of("one", "<a>&\u{1}.smt2"), "sat");
    assert_eq!(of("an/other", "b.smt2"), "unknown");
    let file = &results.iter().find(|r| r["file"]["name"] == "b.smt2").unwrap()["file"];
    let family = serde_json::json!(["c", "d"]);
    assert_eq!((&file["logic"], &file["family"]), (&serde_json::json!("QF_SLIA"), &family));
    assert_eq!(exported.left_out.len(), 2, "{:?}", exported.left_out);
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let taken = dir.path().join("taken");
    fs::write(&taken, "x").unwrap();
    let error = export(&small(), Format::Csv, &taken).unwrap_err().to_string();
    assert!(error.contains("taken") && error.contains("--out"), "{error}");
}
