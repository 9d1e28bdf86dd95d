//! A real worker and strategies that do all that strategies should not: each gets its status, nothing is left
//! of it, and the worker goes on.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use backends_api::protocol::{Reply, Request};
use common::{Mark, done, eventually, generous, job, kill};
use harness_exec::{Execution, Executor, ProcessExecutor};
use harness_model::limits::Sampling;
use harness_model::record::{Termination, TimeLimit};
use harness_model::{Alphabet, Answer, Dialect, Limits, Question, RegexSource};

const SHORT: Duration = Duration::from_millis(300);

#[test]
fn each_deed_has_its_status_and_the_worker_goes_on() {
    let mark = Mark::new();
    let mut executor = mark.executor();
    let worker = executor.start().unwrap();
    let ended = |text: &str| Termination::Error(text.into());
    let small = Limits { memory: 128 << 20, ..generous() };
    let cases = [
        ("test-honest", generous(), Termination::Answered),
        ("test-sleeps", Limits { wall: SHORT, ..generous() }, Termination::Timeout(TimeLimit::Wall)),
        ("test-spins", Limits { cpu: SHORT, ..generous() }, Termination::Timeout(TimeLimit::Cpu)),
        ("test-nests", Limits { wall: SHORT, ..generous() }, Termination::Timeout(TimeLimit::Wall)),
        ("test-orphans", generous(), Termination::Answered),
        ("test-allocates", small, Termination::Memout),
        ("test-asks", small, Termination::Memout),
        ("test-aborts", generous(), Termination::Signal(6)),
        ("test-exits", generous(), Termination::Exit(3)),
        ("test-prints", generous(), Termination::Answered),
        ("test-refuses", generous(), Termination::Unsupported("everything".into())),
        ("test-nobody", generous(), ended("the worker has no strategy 'test-nobody'")),
        ("test-honest", generous(), Termination::Answered),
    ];
    for (strategy, limits, expected) in cases {
        let reply = done(&mut executor, &job(strategy, limits));
        assert_eq!(reply.termination, expected, "{strategy}");
        let own = i32::try_from(worker).unwrap();
        assert_eq!(mark.processes(), [own], "{strategy}: the same worker is there and nothing else is");
        let answered = reply.termination == Termination::Answered;
        assert_eq!(reply.answers, if answered { vec![Answer::empty()] } else { vec![] }, "{strategy}");
        assert_eq!(reply.phases.contains_key("solve"), strategy != "test-nobody", "{strategy}");
        assert!(reply.phases.values().all(|time| time.cold_ns > 0), "{strategy}");
    }
}

#[test]
fn the_accounts_are_the_records_own() {
    let mut executor = Mark::new().executor();
    let limit = 256 << 20;
    let large =
        done(&mut executor, &job("test-allocates", Limits { memory: limit, ..generous() })).usage.unwrap();
    assert!(large.peak_rss_bytes > limit / 2 && large.peak_rss_bytes < 4 * limit, "{large:?}");
    let busy = done(&mut executor, &job("test-spins", Limits { cpu: SHORT, ..generous() })).usage.unwrap();
    assert!(Duration::from_nanos(busy.cpu_ns) >= SHORT, "{busy:?}");
    let idle = done(&mut executor, &job("test-sleeps", Limits { wall: SHORT, ..generous() })).usage.unwrap();
    assert!(Duration::from_nanos(idle.wall_ns) >= SHORT, "{idle:?}");
    assert!(idle.cpu_ns < busy.cpu_ns / 2, "what came before does not count: {idle:?}");
    assert!(idle.peak_rss_bytes < limit / 4, "what came before does not count: {idle:?}");
}

/// As many regexes and operations.
fn large(strategy: &str, regexes: usize, operations: usize) -> harness_exec::Job {
    let source = |n| RegexSource {
        find: false,
        name: format!("r{n}"),
        pattern: "a".repeat(100),
        dialect: Dialect::default(),
    };
    let operation = common::question().as_operations().unwrap().operations[0];
    let sources = (0..regexes).map(source).collect();
    let question = Question::of_operations(Alphabet::Ascii, sources, vec![operation; operations]);
    harness_exec::Job { question: Arc::new(question), ..job(strategy, generous()) }
}

/// A record that was stopped has what it had measured; phases that were going on count up to the end.
#[test]
fn phases_and_counters_before_a_limit_are_kept() {
    let mut executor = Mark::new().executor();
    let wall = Limits { wall: SHORT, ..generous() };
    let cpu = Limits { cpu: SHORT, ..generous() };
    let memory = Limits { memory: 64 << 20, ..generous() };
    for (strategy, limits) in [
        ("test-sleeps", wall),
        ("test-dawdles", wall),
        ("test-spins", cpu),
        ("test-allocates", memory),
        ("test-aborts", wall),
    ] {
        let reply = done(&mut executor, &harness_exec::Job { limits, ..large(strategy, 2, 3) });
        assert_ne!(reply.termination, Termination::Answered);
        let names: Vec<&str> = reply.phases.keys().map(String::as_str).collect();
        assert_eq!(names, ["deed", "parse", "prepare", "solve"], "{strategy}");
        let [deed, prepare, solve] = ["deed", "prepare", "solve"].map(|name| reply.phases[name].cold_ns);
        let wall = reply.usage.unwrap().wall_ns;
        assert!(deed <= solve && prepare + solve <= wall, "{strategy}: {:?}, {wall}", reply.phases);
        if strategy != "test-aborts" {
            assert!(deed > wall / 2, "{strategy}: {:?}, {wall}", reply.phases);
        }
        assert_eq!(reply.counters, [("states".to_owned(), 1)].into(), "{strategy}");
    }
    // Nothing of it is left for the next record.
    let reply = done(&mut executor, &job("test-honest", generous()));
    assert_eq!(reply.phases.keys().collect::<Vec<_>>(), ["parse", "prepare", "solve"]);
    let reply = done(&mut executor, &harness_exec::Job { limits: wall, ..job("test-sleeps", wall) });
    assert_eq!(reply.counters.len(), 1);
}

#[test]
fn answers_before_a_limit_are_kept() {
    let mut executor = Mark::new().executor();
    for (asked, kept) in [(1, 0), (2, 1), (40, 39)] {
        let limits = Limits { wall: SHORT, ..generous() };
        let reply = done(&mut executor, &harness_exec::Job { limits, ..large("test-dawdles", 2, asked) });
        assert_eq!(reply.termination, Termination::Timeout(TimeLimit::Wall));
        assert_eq!(reply.answers, vec![Answer::empty(); kept]);
    }
    let reply = done(&mut executor, &large("test-honest", 2, 40));
    assert_eq!((reply.termination, reply.answers.len()), (Termination::Answered, 40));
}

#[test]
fn a_record_starts_from_the_memory_of_the_first_whatever_came_before() {
    let small = job("test-honest", generous());
    let peak = |executor: &mut ProcessExecutor, job| done(executor, job).usage.unwrap().peak_rss_bytes;
    let first = peak(&mut Mark::new().executor(), &small);
    for (strategy, regexes, operations) in [
        ("test-honest", 800, 1),
        ("test-honest", 30_000, 1),
        ("test-lies", 1, 1000),
        ("test-lies", 1, 50_000),
        ("test-prints", 30_000, 1),
    ] {
        let mark = Mark::new();
        let mut executor = mark.executor();
        assert_eq!(peak(&mut executor, &small).abs_diff(first) >> 20, 0, "as every first one");
        let before = done(&mut executor, &large(strategy, regexes, operations));
        assert_eq!(before.termination, Termination::Answered, "{:?}", before.stderr);
        assert_eq!(before.answers.len(), operations);
        let next = peak(&mut executor, &small);
        assert!(
            next.abs_diff(first) < 1 << 20,
            "{first} grew to {next} behind {strategy}, {regexes}, {operations}"
        );
        assert_eq!(mark.processes().len(), 1);
    }
}

#[test]
fn a_question_that_cannot_be_read_is_an_error_of_its_record() {
    let mut worker = std::process::Command::new(common::WORKER)
        .arg("worker")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let honest = job("test-honest", generous());
    let request = Request {
        id: 7,
        strategy: honest.key.strategy,
        question: honest.question,
        limits: honest.limits,
        sampling: None,
    };
    let good = serde_json::to_string(&request).unwrap();
    let bad = good.replace("\"operations\"", "\"deeds\"");
    assert_ne!(good, bad);
    let mut input = worker.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, format!("{bad}\n{good}\n").as_bytes()).unwrap();
    drop(input);
    let said = worker.wait_with_output().unwrap();
    let lines: Vec<&str> = std::str::from_utf8(&said.stdout).unwrap().lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    let reply: Reply = serde_json::from_str(lines[1]).unwrap();
    let Termination::Error(what) = &reply.termination else { panic!("{:?}", reply.termination) };
    assert!(what.contains("the question cannot be read"), "{what}");
    let reply: Reply = serde_json::from_str(lines[2]).unwrap();
    assert_eq!((reply.id, reply.termination), (7, Termination::Answered));
}

#[test]
fn a_tree_is_accounted_as_a_whole() {
    let mut executor = Mark::new().executor();
    let alone = done(&mut executor, &job("test-honest", generous()));
    let tree = done(&mut executor, &job("test-orphans", generous()));
    assert!(!alone.method.contains("descendants"), "{}", alone.method);
    assert!(tree.method.contains("descendants"), "{}", tree.method);
    assert!(tree.usage.unwrap().peak_rss_bytes > alone.usage.unwrap().peak_rss_bytes);
}

#[test]
fn a_panic_is_an_error_with_its_place() {
    let reply = done(&mut Mark::new().executor(), &job("test-panics", generous()));
    let Termination::Error(what) = &reply.termination else { panic!("{:?}", reply.termination) };
    assert!(what.contains("misbehave.rs:") && what.ends_with(": on purpose"), "{what}");
    assert_eq!(reply.counters["states"], 1, "what was counted before is kept");
}

#[test]
fn what_is_printed_is_captured_and_harmless() {
    let reply = done(&mut Mark::new().executor(), &job("test-prints", generous()));
    assert_eq!(reply.termination, Termination::Answered);
    assert!(reply.stderr.starts_with("...") && reply.stderr.ends_with("the last words"), "{}", reply.stderr);
    assert!(reply.stderr.len() < 5000);
}

#[test]
fn short_runs_are_repeated() {
    let mut executor = Mark::new().executor();
    let sampling = Some(Sampling { total: Duration::from_millis(20), max_samples: 25 });
    let reply = done(&mut executor, &harness_exec::Job { sampling, ..job("test-honest", generous()) });
    assert_eq!(reply.termination, Termination::Answered);
    for name in ["parse", "prepare", "solve"] {
        let warm = reply.phases[name].warm.unwrap();
        assert!(warm.samples == 25 && warm.min_ns > 0 && warm.min_ns <= warm.median_ns, "{name}: {warm:?}");
    }
    assert_eq!(reply.counters["states"], 1, "counters are those of the first run");
}

#[test]
fn long_runs_are_not_repeated() {
    let sampling = Some(Sampling { total: Duration::from_millis(20), max_samples: 25 });
    // It takes a tenth of a second.
    let reply =
        done(&mut Mark::new().executor(), &harness_exec::Job { sampling, ..job("test-orphans", generous()) });
    assert_eq!(reply.termination, Termination::Answered);
    assert!(reply.phases.values().all(|time| time.warm.is_none()));
}

#[test]
fn a_repetition_that_says_something_else_is_an_error() {
    let sampling = Some(Sampling { total: Duration::from_millis(20), max_samples: 5 });
    let reply =
        done(&mut Mark::new().executor(), &harness_exec::Job { sampling, ..job("test-wavers", generous()) });
    let said =
        "while being repeated: repetition 0 said nonempty where the first run said empty (operation 0)";
    assert_eq!(reply.termination, Termination::Error(said.into()));
}

/// Kills what `victims` finds, once, while the job runs.
fn disturbed(executor: &mut ProcessExecutor, mark: &Mark, at_least: usize, victim: usize) -> Execution {
    std::thread::scope(|scope| {
        scope.spawn(|| {
            eventually("the record is in flight", || mark.processes().len() >= at_least);
            let mut processes = mark.processes();
            processes.sort_unstable();
            kill(processes[victim]);
        });
        executor.execute(&job("test-sleeps", generous()), &|| false)
    })
}

#[test]
fn a_child_killed_from_outside_is_a_signal() {
    let mark = Mark::new();
    let mut executor = mark.executor();
    let worker = i32::try_from(executor.start().unwrap()).unwrap();
    let Execution::Done(reply) = disturbed(&mut executor, &mark, 2, 1) else { panic!("not done") };
    assert_eq!(reply.termination, Termination::Signal(9));
    assert!(reply.usage.is_some());
    assert_eq!(done(&mut executor, &job("test-honest", generous())).termination, Termination::Answered);
    assert_eq!(mark.processes(), [worker]);
}

#[test]
fn a_worker_killed_from_outside_is_replaced() {
    let mark = Mark::new();
    let mut executor = mark.executor();
    let first = executor.start().unwrap();
    let Execution::Done(reply) = disturbed(&mut executor, &mark, 2, 0) else { panic!("not done") };
    assert_eq!(reply.termination, Termination::Signal(9));
    assert_eq!(reply.stderr, "signal 9 ended the worker process itself");
    eventually("nothing is left of it", || mark.processes().is_empty());
    assert_eq!(done(&mut executor, &job("test-honest", generous())).termination, Termination::Answered);
    assert_ne!(executor.start().unwrap(), first);
}

/// Who ends a whole tree of processes, as batch systems do, reaches one after the other. A record that was in
/// flight then is none: it would be a crash that the strategy has no part in.
#[test]
fn a_record_whose_whole_tree_is_told_to_end_is_none() {
    const APART: Duration = Duration::from_millis(50);
    // The child first, then the worker; the worker alone; the harness hears of it last.
    for from in [1, 0] {
        let mark = Mark::new();
        let mut executor = mark.executor();
        executor.start().unwrap();
        let stop = AtomicBool::new(false);
        let execution = std::thread::scope(|scope| {
            scope.spawn(|| {
                eventually("the record is in flight", || mark.processes().len() == 2);
                let mut processes = mark.processes();
                processes.sort_unstable();
                for &pid in processes[..=from].iter().rev() {
                    let pid = rustix::process::Pid::from_raw(pid).unwrap();
                    // It is gone where the worker has ended it.
                    let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
                    std::thread::sleep(APART);
                }
                stop.store(true, Ordering::Relaxed);
            });
            executor.execute(&job("test-sleeps", generous()), &|| stop.load(Ordering::Relaxed))
        });
        assert_eq!(execution, Execution::Stopped);
        eventually("nothing is left of it", || mark.processes().is_empty());
    }
}

#[test]
fn what_a_killed_worker_leaves_is_found() {
    let mark = Mark::new();
    let mut executor = mark.executor();
    executor.start().unwrap();
    let reply = std::thread::scope(|scope| {
        scope.spawn(|| {
            // The worker, its child, and the daemon of which neither is the parent any more.
            eventually("the daemon runs", || mark.processes().len() == 3 && mark.daemons() == 1);
            kill(*mark.processes().iter().min().unwrap());
        });
        done(&mut executor, &job("test-nests", generous()))
    });
    assert_eq!(reply.termination, Termination::Signal(9));
    eventually("nothing is left of it", || mark.processes().is_empty());
}

#[test]
fn a_worker_that_died_idle_costs_no_record() {
    let mark = Mark::new();
    let mut executor = mark.executor();
    let first = i32::try_from(executor.start().unwrap()).unwrap();
    kill(first);
    eventually("it is dead", || mark.processes().is_empty());
    assert_eq!(done(&mut executor, &job("test-honest", generous())).termination, Termination::Answered);
}

#[test]
fn a_stuck_worker_is_killed_with_its_tree() {
    let mark = Mark::new();
    let mut executor = mark.executor().with_grace(Duration::from_millis(500));
    let worker = i32::try_from(executor.start().unwrap()).unwrap();
    let worker = rustix::process::Pid::from_raw(worker).unwrap();
    let limits = Limits { wall: Duration::from_secs(2), ..generous() };
    let reply = std::thread::scope(|scope| {
        scope.spawn(|| {
            eventually("the record is in flight", || mark.processes().len() == 2);
            rustix::process::kill_process(worker, rustix::process::Signal::STOP).unwrap();
        });
        done(&mut executor, &job("test-sleeps", limits))
    });
    let said = "the worker process did not enforce its limits and was killed";
    assert_eq!(reply.termination, Termination::Error(said.into()));
    eventually("nothing is left of it", || mark.processes().is_empty());
    assert_eq!(done(&mut executor, &job("test-honest", generous())).termination, Termination::Answered);
}

#[test]
fn stopping_kills_what_is_in_flight() {
    let mark = Mark::new();
    let mut executor = mark.executor();
    let stop = AtomicBool::new(false);
    let execution = std::thread::scope(|scope| {
        scope.spawn(|| {
            eventually("the daemon runs", || mark.processes().len() == 3 && mark.daemons() == 1);
            stop.store(true, Ordering::Relaxed);
        });
        executor.execute(&job("test-nests", generous()), &|| stop.load(Ordering::Relaxed))
    });
    assert_eq!(execution, Execution::Stopped);
    eventually("nothing is left of it", || mark.processes().is_empty());
}

#[test]
fn a_dropped_executor_leaves_nothing() {
    let mark = Mark::new();
    let mut executor = mark.executor();
    executor.start().unwrap();
    drop(executor);
    assert_eq!(mark.processes(), [0; 0]);
}
