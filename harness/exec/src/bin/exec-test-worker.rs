//! A worker that serves the misbehaving strategies, and a harness that runs some of them: for the tests of
//! this crate.
//!
//! `exec-test-worker worker` serves; `exec-test-worker drive STRATEGY` runs the strategy in as many workers
//! as there are cores, with limits that never strike, and says when it has begun.

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use backends_api::Family as _;
use harness_exec::misbehave::MisbehavingFamily;
use harness_exec::{Cores, Job, Observer, Pool, Progress, WorkerCommand};
use harness_model::record::RunKey;
use harness_model::{Alphabet, Limits, Question};

#[global_allocator]
static ALLOC: harness_exec::alloc::LimitAlloc = harness_exec::alloc::LimitAlloc;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["worker"] => harness_exec::worker::serve(|name| MisbehavingFamily::new().named(name)),
        ["drive", strategy] => drive(strategy),
        _ => ExitCode::from(2),
    }
}

fn drive(strategy: &str) -> ExitCode {
    let Ok(cores) = Cores::take(harness_exec::machine::cores().len(), None) else {
        return ExitCode::FAILURE;
    };
    let pool = Pool { command: WorkerCommand::this_program(), cores };
    let day = Duration::from_secs(86_400);
    let question = Question::of_operations(Alphabet::Ascii, Vec::new(), Vec::new());
    let question = Arc::new(question);
    let jobs: Vec<Job> = (0..100)
        .map(|repeat| Job {
            key: RunKey { task: "t".into(), strategy: strategy.into(), repeat },
            strategy: strategy.into(),
            family: "f".into(),
            question: Arc::clone(&question),
            limits: Limits { wall: day, cpu: day, memory: 1 << 32 },
            sampling: None,
            build: Default::default(),
        })
        .collect();
    let done =
        harness_exec::run(&jobs, pool.executors(), &mut |_, _| Ok(()), &mut Tell, &AtomicBool::new(false));
    ExitCode::from(u8::from(done.is_err()))
}

/// One line on standard output for each job that is handed out.
struct Tell;

impl Observer for Tell {
    fn started(&mut self, _: &Progress) {
        let _ = writeln!(std::io::stdout(), "started");
    }
}
