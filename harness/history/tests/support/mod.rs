//! Runs in directories, as `harness compare` leaves them.
#![allow(dead_code, reason = "each test program uses a part")]

use std::path::Path;
use std::time::Duration;

use harness_model::record::{Record, RecordVersion, RunKey, Termination, Usage};
use harness_model::run::{Machine, ReportSpec, RunInfo, StrategyRow};
use harness_model::{
    Alphabet, Answer, Dialect, Limits, Operation, OperationKind, Question, RegexSource, Task,
};
use harness_store::{RunDir, fingerprint, tasks_digest};

/// The strategies of every run.
pub const STRATEGIES: [&str; 2] = ["slow", "fast"];

/// Tasks `t/0` and so on.
pub fn tasks(count: usize) -> Vec<Task> {
    let task = |i: usize| Task {
        parameters: Default::default(),
        id: format!("t/{i}"),
        family: if i.is_multiple_of(2) { "even" } else { "odd" }.into(),
        question: Question::of_operations(
            Alphabet::Ascii,
            vec![RegexSource {
                find: false,
                name: "A".into(),
                pattern: format!("a{{{i}}}"),
                dialect: Dialect::Java,
            }],
            vec![Operation { kind: OperationKind::Product, left: 0, right: 0 }],
        ),
        expected: None,
    };
    (0..count).map(task).collect()
}

/// The head of a run that began so many days after a certain one.
pub fn info(tasks: &[Task], day: u32) -> RunInfo {
    let limits = Limits { wall: Duration::from_secs(60), cpu: Duration::from_secs(60), memory: 1 << 30 };
    let row = |name: &str| StrategyRow {
        name: name.into(),
        backend: "b".into(),
        version: "1".into(),
        summary: String::new(),
        ..StrategyRow::default()
    };
    RunInfo {
        version: RecordVersion::CURRENT,
        name: "small".into(),
        config: "name: small\n".into(),
        fingerprint: fingerprint(tasks, STRATEGIES, 1, limits, None, 7),
        tasks_digest: Some(tasks_digest(tasks)),
        seed: 7,
        workers: 2,
        limits,
        sampling: None,
        repeats: 1,
        planned: (tasks.len() * STRATEGIES.len()) as u64,
        tasks: tasks.len() as u64,
        strategies: STRATEGIES.map(row).into(),
        skipped: vec![],
        left_out: Vec::new(),
        overrides: Default::default(),
        machine: Machine {
            cpu: "A processor".into(),
            cores: 2,
            memory_bytes: 8 << 30,
            kernel: "6.1".into(),
            os: "Linux".into(),
        },
        versions: [("harness".to_owned(), "0.1.0".to_owned())].into(),
        started_unix_s: 1_700_000_000.0 + 86_400.0 * f64::from(day),
        report: ReportSpec::default(),
    }
}

/// What `strategy` did on `task` in so many milliseconds of processor time.
pub fn record(task: &Task, strategy: &str, ms: u64) -> Record {
    Record {
        version: RecordVersion::CURRENT,
        key: RunKey { task: task.id.clone(), strategy: strategy.into(), repeat: 0 },
        family: task.family.as_str().into(),
        alphabet: Alphabet::Ascii,
        termination: Termination::Answered,
        answers: vec![Answer::empty()],
        usage: Some(Usage { wall_ns: 2_000_000 * ms, cpu_ns: 1_000_000 * ms, peak_rss_bytes: 1 << 20 }),
        method: "wait4".into(),
        phases: [].into(),
        counters: [("states".to_owned(), 7)].into(),
        stderr: "a \"quoted\"\nline".into(),
        started_unix_s: 1_700_000_001.5,
        core: Some(0),
    }
}

/// A run in `dir`: every task by both strategies, `ms(task, strategy)` milliseconds each; those without are
/// not there.
pub fn write(dir: &Path, info: &RunInfo, tasks: &[Task], ms: impl Fn(usize, &str) -> Option<u64>) {
    let mut run = RunDir::create_or_resume(dir, info, tasks).unwrap();
    for (number, task) in tasks.iter().enumerate() {
        for strategy in STRATEGIES {
            let record = ms(number, strategy).map(|ms| record(task, strategy, ms));
            if let Some(record) = record.filter(|record| !run.done().contains(&record.key)) {
                run.append(&record).unwrap();
            }
        }
    }
    run.finish().unwrap();
}
