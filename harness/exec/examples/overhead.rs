//! What the runner adds to a record: the time from a request to its reply, without the strategy's own phases.
//!
//! ```text
//! cargo run --release -p harness-exec --features misbehaving --example overhead
//! cargo run --release -p harness-exec --features misbehaving --example overhead -- PROGRAM STRATEGY [RECORDS]
//! ```
//!
//! The first form serves a strategy that does nothing; the second starts `PROGRAM worker`, such as a release
//! build of `harness` with all its libraries, and asks one of its strategies a small question. The worker is
//! warm and bound to a core; forking, confining, reporting, accounting and both pipes are in the figure.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use backends_api::Family as _;
use harness_exec::misbehave::MisbehavingFamily;
use harness_exec::{Execution, Executor, Job, ProcessExecutor, WorkerCommand, machine};
use harness_model::record::RunKey;
use harness_model::{Alphabet, Dialect, Limits, Operation, OperationKind, Question, RegexSource};

#[global_allocator]
static ALLOC: harness_exec::alloc::LimitAlloc = harness_exec::alloc::LimitAlloc;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments == ["worker"] {
        return harness_exec::worker::serve(|name| MisbehavingFamily::new().named(name));
    }
    let (command, strategy) = match &arguments[..] {
        [program, strategy, ..] => (WorkerCommand::new(program, ["worker"]), strategy.as_str()),
        _ => (WorkerCommand::this_program(), "test-honest"),
    };
    let records = arguments.get(2).and_then(|n| n.parse().ok()).unwrap_or(2000);
    match measure(command, strategy, records) {
        Ok(text) => {
            show(&text);
            ExitCode::SUCCESS
        }
        Err(why) => {
            show(&why);
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stdout, reason = "it is a program")]
fn show(text: &str) {
    println!("{text}");
}

fn measure(command: WorkerCommand, strategy: &str, records: usize) -> Result<String, String> {
    let mut executor = ProcessExecutor::new(command, machine::cores().first().copied());
    let start = Instant::now();
    executor.start()?;
    let warm_up = start.elapsed();
    let job = job(strategy);
    let mut added = Vec::new();
    let mut processes = Vec::new();
    for _ in 0..records.max(1) {
        let start = Instant::now();
        let Execution::Done(reply) = executor.execute(&job, &|| false) else {
            return Err("the worker broke".into());
        };
        let took = start.elapsed();
        let own: u64 = ["prepare", "solve"].iter().filter_map(|p| Some(reply.phases.get(*p)?.cold_ns)).sum();
        if own == 0 {
            return Err(format!("no answer: {:?}", reply.termination));
        }
        added.push(took.saturating_sub(Duration::from_nanos(own)));
        processes.push(Duration::from_nanos(reply.usage.map_or(0, |usage| usage.wall_ns)));
    }
    Ok(format!(
        "{strategy}, {records} records on {}\nstart of the worker  {warm_up:?}\nadded to a record    {}\nchild process        {}",
        machine::machine().cpu,
        quantiles(&mut added),
        quantiles(&mut processes)
    ))
}

fn quantiles(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |part: usize| times[(times.len() - 1) * part / 100];
    format!("median {:?}, 90 % {:?}, 99 % {:?}, most {:?}", at(50), at(90), at(99), at(100))
}

fn job(strategy: &str) -> Job {
    let regex = |name: &str, pattern: &str| RegexSource {
        find: false,
        name: name.into(),
        pattern: pattern.into(),
        dialect: Dialect::default(),
    };
    let question = Question::of_operations(
        Alphabet::Ascii,
        vec![regex("A", "[a-c]+x"), regex("B", "[b-d]+x")],
        vec![Operation { kind: OperationKind::Product, left: 0, right: 1 }],
    );
    let minute = Duration::from_secs(60);
    Job {
        key: RunKey { task: "overhead".into(), strategy: strategy.into(), repeat: 0 },
        strategy: strategy.into(),
        family: "overhead".into(),
        question: Arc::new(question),
        limits: Limits { wall: minute, cpu: minute, memory: 1 << 30 },
        sampling: None,
        build: Default::default(),
    }
}
