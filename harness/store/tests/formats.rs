//! Runs of every format version that this build claims to read. The folders under `fixtures/` are never
//! edited; a new version adds one.

#![expect(clippy::unwrap_used, reason = "a test")]

mod common;

use std::path::Path;

use common::{info, record, tasks};
use harness_model::record::{RunKey, Termination, TimeLimit, WarmTime};
use harness_model::{Alphabet, Answer, Verdict};
use harness_store::{RunDir, RunReader};
use serde_json::{Value, json};

fn fixture(version: &str) -> RunReader {
    RunReader::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(version)).unwrap()
}

#[test]
fn version_1_0() {
    let reader = fixture("v1.0");
    let info = reader.info();
    assert_eq!((info.name.as_str(), info.seed, info.workers, info.planned), ("fixture", 42, 2, 8));
    assert_eq!(info.limits.cpu.as_millis(), 59_500);
    assert_eq!(info.sampling.map(|s| s.max_samples), Some(20));
    assert_eq!(info.report.layouts, ["figure-3.7", "figure-3.10"]);
    assert_eq!(info.strategies[0].name, "sfa-bdd-lazy");
    assert!(info.strategies[0].family.is_empty() && info.strategies[0].options.is_empty());
    let [task] = reader.tasks() else { unreachable!("{:?}", reader.tasks()) };
    assert_eq!(task.question.as_operations().unwrap().regexes[0].pattern, r"\w+");
    assert_eq!(task.expected.as_ref().unwrap().verdicts, [Verdict::Nonempty, Verdict::Empty]);

    let loaded = reader.load().unwrap();
    assert_eq!(loaded.damaged, []);
    let ends: Vec<&Termination> = loaded.records.iter().map(|r| &r.termination).collect();
    assert_eq!(
        ends,
        [
            &Termination::Answered,
            &Termination::Timeout(TimeLimit::Wall),
            &Termination::Timeout(TimeLimit::Cpu),
            &Termination::Memout,
            &Termination::Signal(11),
            &Termination::Exit(3),
            &Termination::Error("cannot read A: at character 3".into()),
            &Termination::Unsupported("difference".into()),
        ]
    );
    let first = &loaded.records[0];
    assert_eq!(first.key, RunKey { task: "t/0".into(), strategy: "sfa-bdd-lazy".into(), repeat: 0 });
    assert_eq!(first.alphabet, Alphabet::Ascii);
    assert_eq!(first.answers, [Answer::word("a\"\\\u{e9}\n".into()), Answer::empty()]);
    assert_eq!(first.usage.map(|u| u.peak_rss_bytes), Some(5 << 20));
    let warm = WarmTime { samples: 20, median_ns: 1500, mad_ns: 10, min_ns: 1400, max_ns: 1900 };
    assert_eq!(first.phases["solve"].warm, Some(warm));
    assert_eq!(first.counters["states"], 12);
    let late = &loaded.records[1];
    assert_eq!(late.answers[0].reason.as_deref(), Some("the library gives none"));
    assert_eq!((late.usage, late.core, late.stderr.as_str()), (None, None, "killed\n"));
}

#[test]
fn version_1_1() {
    let loaded = fixture("v1.1").load().unwrap();
    assert_eq!(loaded.damaged, []);
    let [first, second] = &loaded.records[0].answers[..] else { unreachable!("{:?}", loaded.records[0]) };
    assert!(first.counters.is_empty());
    assert_eq!(second.counters, [("iterations".to_owned(), 7)].into());
}

/// Every object gains a key, except durations, alternatives and maps from names to values; the version is
/// raised.
fn add_keys(value: &mut Value) {
    const CLOSED: [&str; 10] = [
        "phases",
        "counters",
        "versions",
        "options",
        "overrides",
        "termination",
        "witness",
        "wall",
        "cpu",
        "total",
    ];
    match value {
        Value::Object(object) => {
            for (key, inner) in object.iter_mut() {
                if !CLOSED.contains(&key.as_str()) {
                    add_keys(inner);
                }
            }
            if let Some(minor) = object.get_mut("minor") {
                *minor = json!(99);
            }
            object.insert("since_1_99".into(), json!([{"deep": null}]));
        }
        Value::Array(items) => items.iter_mut().for_each(add_keys),
        _ => {}
    }
}

#[test]
fn keys_of_later_minor_versions_are_passed_over() {
    let root = tempfile::tempdir().unwrap();
    let tasks = tasks(1);
    let mut run = RunDir::create_or_resume(root.path(), &info(&tasks), &tasks).unwrap();
    run.append(&record(0)).unwrap();
    drop(run);
    for name in ["records.jsonl", "tasks.jsonl", "run.json"] {
        let file = root.path().join(name);
        let mut value: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        add_keys(&mut value);
        std::fs::write(&file, format!("{value}\n")).unwrap();
    }
    let reader = RunReader::open(root.path()).unwrap();
    assert_eq!(reader.tasks(), tasks);
    assert_eq!(reader.info().fingerprint, info(&tasks).fingerprint);
    let loaded = reader.load().unwrap();
    assert_eq!(loaded.damaged, []);
    assert_eq!(loaded.records[0].answers, record(0).answers);
    assert_eq!(loaded.records[0].version.minor, 99);
}

#[test]
fn alternatives_of_later_minor_versions_are_kept_and_never_solved() {
    let root = tempfile::tempdir().unwrap();
    let tasks = tasks(1);
    let mut run = RunDir::create_or_resume(root.path(), &info(&tasks), &tasks).unwrap();
    run.append(&record(0)).unwrap();
    drop(run);
    let file = root.path().join("records.jsonl");
    let old: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let load = |change: &dyn Fn(&mut Value)| {
        let mut value = old.clone();
        value["answers"] = json!([{"verdict": "nonempty", "witness": {"word": "a"}}, {"verdict": "empty"}]);
        change(&mut value);
        std::fs::write(&file, format!("{value}\n")).unwrap();
        RunReader::open(root.path()).unwrap().load().unwrap()
    };
    let newer = |value: &mut Value| value["version"]["minor"] = json!(99);
    let ended = |value: &mut Value| value["termination"] = json!({"throttled": {"degrees": 95}});
    let verdict = |value: &mut Value| value["answers"][0]["verdict"] = json!("finite");
    let witness = |value: &mut Value| value["answers"][0]["witness"] = json!({"automaton": "…"});

    for change in [&ended as &dyn Fn(&mut Value), &verdict, &witness] {
        // Of a version that this build knows it is damage.
        assert_eq!(load(change).damaged.len(), 1);
        let loaded = load(&|value| {
            newer(value);
            change(value);
        });
        assert_eq!((loaded.damaged.len(), loaded.records.len()), (0, 1), "{:?}", loaded.damaged);
    }
    let loaded = load(&|value| {
        newer(value);
        ended(value);
    });
    let why = "the way to end 'throttled' of format 1.99 is not known to this build: update harness";
    assert_eq!(loaded.records[0].termination, Termination::Error(why.to_owned()));
    let loaded = load(&|value| {
        newer(value);
        verdict(value);
    });
    let [first, second] = &loaded.records[0].answers[..] else { unreachable!() };
    assert_eq!((first.verdict, second.verdict), (Verdict::Unknown, Verdict::Empty));
    assert!(first.reason.as_deref().unwrap().starts_with("the verdict 'finite' of format 1.99"));
    let loaded = load(&|value| {
        newer(value);
        witness(value);
    });
    let first = &loaded.records[0].answers[0];
    assert_eq!((first.verdict, &first.witness), (Verdict::Unknown, &None));
    // What cannot be read for another reason stays damage.
    let loaded = load(&|value| {
        newer(value);
        value["alphabet"] = json!(7);
    });
    assert_eq!((loaded.damaged.len(), loaded.records.len()), (1, 0));
}

#[test]
fn a_record_of_another_major_version_says_so() {
    let root = tempfile::tempdir().unwrap();
    let tasks = tasks(1);
    drop(RunDir::create_or_resume(root.path(), &info(&tasks), &tasks).unwrap());
    let line = r#"{"version":{"major":2,"minor":0},"run":"of a shape that nobody knows yet"}"#;
    std::fs::write(root.path().join("records.jsonl"), format!("{line}\n")).unwrap();
    let loaded = RunReader::open(root.path()).unwrap().load().unwrap();
    assert_eq!(loaded.records, []);
    assert!(loaded.damaged[0].why.contains("newer than this build"), "{}", loaded.damaged[0]);
}

/// All names of keys, except those of maps from names to values.
fn keys(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (key, inner) in object {
                found.push(key.clone());
                match key.as_str() {
                    "counters" | "versions" => {}
                    "phases" => {
                        for (_, time) in inner.as_object().into_iter().flatten() {
                            keys(time, found);
                        }
                    }

                    _ => keys(inner, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        _ => {}
    }
}

#[test]
fn the_page_on_formats_names_every_key() {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../FORMATS.md")).unwrap();
    let reader = fixture("v1.0");
    let mut found = Vec::new();
    keys(&serde_json::to_value(reader.info()).unwrap(), &mut found);
    keys(&serde_json::to_value(reader.tasks()).unwrap(), &mut found);
    keys(&serde_json::to_value(reader.load().unwrap().records).unwrap(), &mut found);
    assert!(found.len() > 100);
    for key in found {
        let named = [format!("`{key}`"), format!("\"{key}\"")].iter().any(|form| text.contains(form));
        assert!(named, "FORMATS.md does not name the key {key}");
    }
    for column in ["wall_s", "cpu_s", "peak_rss_kib", "status", "expected", "witness", "detail"] {
        assert!(text.contains(&format!("`{column}`")), "FORMATS.md does not name the column {column}");
    }
}
