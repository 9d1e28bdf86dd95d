//! What the tests of real workers have in common.
#![allow(dead_code, reason = "each test program uses a part of it")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use backends_api::protocol::Reply;
use harness_exec::{Execution, Executor, Job, ProcessExecutor, WorkerCommand};
use harness_model::record::RunKey;
use harness_model::{Alphabet, Limits, Operation, OperationKind, Question};

pub const WORKER: &str = env!("CARGO_BIN_EXE_exec-test-worker");

/// Long enough for the slowest machine; nothing waits for it unless it has failed.
pub const LONG: Duration = Duration::from_secs(60);

/// An entry for the environment of a worker, which all its descendants inherit and no other process has.
pub struct Mark(pub String);

impl Mark {
    pub fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Self(format!("EXEC_TEST_MARK={}-{number}", std::process::id()))
    }

    /// The live processes that have it. `env` itself does not count: it is about to become the worker.
    pub fn processes(&self) -> Vec<i32> {
        let pids = fs::read_dir("/proc").unwrap().filter_map(|e| e.ok()?.file_name().to_str()?.parse().ok());
        pids.filter(|pid: &i32| {
            let environ = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environ.split(|&b| b == 0).any(|entry| entry == self.0.as_bytes())
        })
        .collect()
    }

    /// How many of them run `sleep`: the daemons.
    pub fn daemons(&self) -> usize {
        let names = self.processes().into_iter().map(|pid| fs::read_to_string(format!("/proc/{pid}/comm")));
        names.filter(|name| name.as_ref().is_ok_and(|name| name == "sleep\n")).count()
    }

    pub fn executor(&self) -> ProcessExecutor {
        ProcessExecutor::new(WorkerCommand::new("env", [&self.0, WORKER, "worker"]), None)
    }
}

pub fn question() -> Question {
    let operation = Operation { kind: OperationKind::Product, left: 0, right: 0 };
    Question::of_operations(Alphabet::Ascii, Vec::new(), vec![operation])
}

/// Limits that do not strike.
pub fn generous() -> Limits {
    Limits { wall: LONG, cpu: LONG, memory: 4 << 30 }
}

pub fn job(strategy: &str, limits: Limits) -> Job {
    Job {
        key: RunKey { task: "t".into(), strategy: strategy.into(), repeat: 0 },
        strategy: strategy.into(),
        family: "f".into(),
        question: Arc::new(question()),
        limits,
        sampling: None,
        build: Default::default(),
    }
}

/// Does a job that is expected to be done.
pub fn done(executor: &mut ProcessExecutor, job: &Job) -> Reply {
    match executor.execute(job, &|| false) {
        Execution::Done(reply) => reply,
        other => panic!("{other:?}"),
    }
}

/// Waits until something is so.
pub fn eventually(what: &str, mut so: impl FnMut() -> bool) {
    let deadline = Instant::now() + LONG;
    while !so() {
        assert!(Instant::now() < deadline, "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

pub fn kill(pid: i32) {
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}
