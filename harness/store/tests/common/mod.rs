//! A small run: its head, its tasks, its records.
#![allow(dead_code, reason = "each test program uses a part")]

use std::time::Duration;

use harness_model::limits::Sampling;
use harness_model::record::{PhaseTime, Record, RecordVersion, RunKey, Termination, Usage};
use harness_model::run::{Machine, ReportSpec, RunInfo, StrategyRow};
use harness_model::{
    Alphabet, Answer, Dialect, Expected, Limits, Operation, OperationKind, Question, RegexSource, Task,
    Verdict,
};
use harness_store::fingerprint;

/// Tasks `t/0` to `t/(count - 1)`.
pub fn tasks(count: usize) -> Vec<Task> {
    (0..count)
        .map(|i| Task {
            parameters: Default::default(),
            id: format!("t/{i}"),
            family: "t".into(),
            question: Question::of_operations(
                Alphabet::Ascii,
                vec![
                    RegexSource {
                        find: false,
                        name: "A".into(),
                        pattern: r"\w+".into(),
                        dialect: Dialect::Dotnet,
                    },
                    RegexSource {
                        find: false,
                        name: "B".into(),
                        pattern: format!("a{{{i}}}"),
                        dialect: Dialect::Java,
                    },
                ],
                vec![Operation { kind: OperationKind::Product, left: 0, right: 1 }],
            ),
            expected: Some(Expected { verdicts: vec![Verdict::Nonempty], source: "by construction".into() }),
        })
        .collect()
}

/// The head of a run of one strategy on `tasks`.
pub fn info(tasks: &[Task]) -> RunInfo {
    let limits =
        Limits { wall: Duration::from_secs(60), cpu: Duration::from_millis(59_500), memory: 2 << 30 };
    let sampling = Some(Sampling { total: Duration::from_millis(50), max_samples: 20 });
    RunInfo {
        version: RecordVersion::CURRENT,
        name: "small".into(),
        config: "name: small\n".into(),
        fingerprint: fingerprint(tasks, ["sfa-bdd-lazy"], 1, limits, sampling, 7),
        tasks_digest: None,
        seed: 7,
        workers: 2,
        limits,
        sampling,
        repeats: 1,
        planned: tasks.len() as u64,
        tasks: tasks.len() as u64,
        strategies: vec![StrategyRow {
            name: "sfa-bdd-lazy".into(),
            backend: "sfa".into(),
            version: "0.1.0".into(),
            summary: "Lazily, labels as binary decision diagrams".into(),
            family: "sfa".into(),
            options: [("mode".into(), "lazy".into())].into(),
            canonical: "sfa-bdd-lazy".into(),
        }],
        skipped: vec![],
        left_out: Vec::new(),
        overrides: Default::default(),
        machine: Machine {
            cpu: "A processor".into(),
            cores: 2,
            memory_bytes: 8 << 30,
            kernel: "Linux 6.1".into(),
            os: "Debian 12".into(),
        },
        versions: [("harness".to_owned(), "0.1.0".to_owned())].into(),
        started_unix_s: 1_700_000_000.25,
        report: ReportSpec::default(),
    }
}

/// The record of a run on task `t/number`.
pub fn record(number: usize) -> Record {
    Record {
        version: RecordVersion::CURRENT,
        key: RunKey { task: format!("t/{number}"), strategy: "sfa-bdd-lazy".into(), repeat: 0 },
        family: "t".into(),
        alphabet: Alphabet::Ascii,
        termination: Termination::Answered,
        answers: vec![Answer::word("a".repeat(number).as_str().into())],
        usage: Some(Usage { wall_ns: 1_000_000, cpu_ns: 900_000, peak_rss_bytes: 5 << 20 }),
        method: "wait4".into(),
        phases: [
            ("prepare".to_owned(), PhaseTime { cold_ns: 1000, warm: None }),
            ("solve".to_owned(), PhaseTime { cold_ns: 2000, warm: None }),
        ]
        .into(),
        counters: [("states".to_owned(), 12), ("transitions".to_owned(), 30)].into(),
        stderr: String::new(),
        started_unix_s: 1_700_000_001.5,
        core: Some(1),
    }
}
