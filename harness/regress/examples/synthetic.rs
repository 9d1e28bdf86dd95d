//! Makes two runs out of nothing, to see how long a comparison of large runs takes and how much memory it
//! needs:
//!
//! ```text
//! cargo run --release -p harness-regress --example synthetic -- /tmp/synthetic 100000 5
//! harness regress /tmp/synthetic/now --baseline /tmp/synthetic/before --markdown /tmp/synthetic/table.md
//! ```
//!
//! In the second run the last strategy is slower by a fifth, one task in a thousand is lost, and one counter
//! in ten thousand has grown. Times have 10 % of noise.

#![expect(clippy::unwrap_used, reason = "a tool of developers")]

use std::path::Path;
use std::time::Duration;

use harness_model::record::{PhaseTime, Record, RecordVersion, RunKey, Termination, TimeLimit, Usage};
use harness_model::run::{Machine, RunInfo, StrategyRow};
use harness_model::{
    Alphabet, Answer, Dialect, Expected, Limits, Operation, OperationKind, Question, RegexSource, Task,
    Verdict,
};
use harness_store::RunDir;

fn main() {
    let mut args = std::env::args().skip(1);
    let dir = args.next().unwrap_or_else(|| "synthetic".to_owned());
    let mut number = |usual: u64| args.next().map_or(usual, |text| text.parse().unwrap());
    let (tasks, strategies) = (number(100_000), number(5));
    for (name, later) in [("before", false), ("now", true)] {
        make(&Path::new(&dir).join(name), tasks, strategies, later);
    }
}

fn make(dir: &Path, count: u64, strategies: u64, later: bool) {
    let tasks: Vec<Task> = (0..count).map(task).collect();
    let names: Vec<String> = (0..strategies).map(|s| format!("strategy-{s}")).collect();
    let limits = Limits { wall: Duration::from_secs(60), cpu: Duration::from_secs(60), memory: 1 << 30 };
    let info = RunInfo {
        version: RecordVersion::CURRENT,
        name: "synthetic".into(),
        config: String::new(),
        fingerprint: harness_store::fingerprint(&tasks, &names, 1, limits, None, 1),
        tasks_digest: Some(harness_store::tasks_digest(&tasks)),
        seed: 1,
        workers: 1,
        limits,
        sampling: None,
        repeats: 1,
        planned: count * strategies,
        tasks: count,
        strategies: names.iter().map(|name| row(name)).collect(),
        skipped: Vec::new(),
        left_out: Vec::new(),
        overrides: Default::default(),
        machine: Machine { cpu: "none".into(), cores: 1, ..Machine::default() },
        versions: [("harness".into(), "0".into())].into(),
        started_unix_s: 0.0,
        report: Default::default(),
    };
    let mut run = RunDir::create_or_resume(dir, &info, &tasks).unwrap();
    for (t, task) in (0..).zip(&tasks) {
        for (s, name) in (0..).zip(&names) {
            let slow = later && s + 1 == strategies;
            run.append(&record(task, name, t * strategies + s, later, slow)).unwrap();
        }
    }
    run.finish().unwrap();
}

fn task(number: u64) -> Task {
    let regex = |name: &str| RegexSource {
        find: false,
        name: name.into(),
        pattern: format!("[a-c]{{{}}}", number % 7 + 1),
        dialect: Dialect::default(),
    };
    let question = Question::of_operations(
        Alphabet::Ascii,
        vec![regex("A"), regex("B")],
        vec![Operation { kind: OperationKind::Difference, left: 0, right: 1 }],
    );
    let expected = Expected { verdicts: vec![Verdict::Empty], source: "by construction".into() };
    Task {
        parameters: Default::default(),
        id: format!("synthetic/family-{}/{number}", number % 20),
        family: format!("synthetic/family-{}", number % 20),
        question,
        expected: Some(expected),
    }
}

fn row(name: &str) -> StrategyRow {
    StrategyRow { name: name.into(), backend: "none".into(), version: "0".into(), ..StrategyRow::default() }
}

fn record(task: &Task, strategy: &str, number: u64, later: bool, slow: bool) -> Record {
    let cpu_ns = (1_000_000 + number % 977 * 10_000) * (if slow { 120 } else { 100 }) / 100
        * (90 + noise(number, later) % 21)
        / 100;
    let lost = later && number % 1000 == 7;
    let phase = |part: u64| PhaseTime { cold_ns: cpu_ns * part / 10, warm: None };
    let more = u64::from(later && number % 10_000 == 8);
    Record {
        version: RecordVersion::CURRENT,
        key: RunKey { task: task.id.clone(), strategy: strategy.into(), repeat: 0 },
        family: task.family.as_str().into(),
        alphabet: Alphabet::Ascii,
        termination: if lost { Termination::Timeout(TimeLimit::Cpu) } else { Termination::Answered },
        answers: vec![Answer::empty()],
        usage: Some(Usage { wall_ns: cpu_ns + 200_000, cpu_ns, peak_rss_bytes: 5 << 20 }),
        method: "wait4".into(),
        phases: [("parse", 1), ("build", 2), ("prepare", 3), ("solve", 6)]
            .map(|(name, part)| (name.to_owned(), phase(part)))
            .into(),
        counters: [
            ("states", number % 100 + more),
            ("transitions", number % 300),
            ("set_operations", number % 900),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into(),
        stderr: String::new(),
        started_unix_s: 1.5,
        core: Some(0),
    }
}

/// The same for the same arguments.
fn noise(number: u64, later: bool) -> u64 {
    let x = (number * 2 + u64::from(later)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 33
}
