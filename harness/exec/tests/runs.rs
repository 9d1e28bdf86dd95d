//! Whole runs with real workers: complete, resumed after a stop, and killed in the middle.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::{Mark, WORKER, eventually, generous, job, question};
use harness_exec::{
    Build, Cores, Execution, Executor as _, Job, PairExecutor, PlanSpec, Pool, ProcessExecutor, Renew,
    Silent, WorkerCommand, calibrate, interleaved, machine, plan, remaining, run,
};
use harness_model::Task;
use harness_model::record::{Record, RunKey, Termination};

fn tasks(count: usize) -> Vec<Task> {
    (0..count)
        .map(|n| Task {
            parameters: Default::default(),
            id: format!("t{n}"),
            family: "f".into(),
            question: question(),
            expected: None,
        })
        .collect()
}

fn pool() -> Pool {
    let command = WorkerCommand::new(WORKER, ["worker"]);
    Pool { command, cores: Cores::take(machine::cores().len(), None).unwrap() }
}

#[test]
fn a_stopped_run_is_resumed_and_has_every_record_once() {
    let strategies: Vec<harness_exec::PlannedStrategy> =
        ["test-honest", "test-aborts", "test-lies"].map(Into::into).into();
    let spec = PlanSpec { repeats: 2, seed: 3, limits: generous(), sampling: None };
    let jobs = plan(&tasks(10), &strategies, &spec);
    assert_eq!(jobs.len(), 60);

    let stop = AtomicBool::new(false);
    let mut records: Vec<Record> = Vec::new();
    let mut sink = |_: &Job, record| {
        records.push(record);
        stop.store(records.len() >= 20, Ordering::Relaxed);
        Ok(())
    };
    let first = run(&jobs, pool().executors(), &mut sink, &mut Silent, &stop).unwrap();
    assert!(first.made >= 20 && first.made < 60, "{}", first.made);
    assert_eq!(first.made, records.len());

    let done: HashSet<RunKey> = records.iter().map(|record| record.key.clone()).collect();
    let left = remaining(jobs, &done);
    assert_eq!(left, first.left);
    let mut sink = |_: &Job, record| {
        records.push(record);
        Ok(())
    };
    let second = run(&left, pool().executors(), &mut sink, &mut Silent, &AtomicBool::new(false)).unwrap();
    assert_eq!((second.made, second.left.len()), (left.len(), 0));

    let keys: HashSet<&RunKey> = records.iter().map(|record| &record.key).collect();
    assert_eq!((records.len(), keys.len()), (60, 60));
    let cores = machine::cores();
    for record in &records {
        let crashes = record.key.strategy == "test-aborts";
        let expected = if crashes { Termination::Signal(6) } else { Termination::Answered };
        assert_eq!(record.termination, expected, "{}", record.key);
        assert!(record.core.is_none_or(|core| cores.contains(&core)), "{:?}", record.core);
        assert!(record.started_unix_s > 1.7e9);
    }
}

#[test]
fn a_run_that_cannot_start_a_worker_says_so() {
    let jobs = plan(
        &tasks(3),
        &["test-honest".into()],
        &PlanSpec { repeats: 1, seed: 0, limits: generous(), sampling: None },
    );
    let broken = Pool { command: WorkerCommand::new("/nowhere/harness", ["worker"]), ..pool() };
    let error =
        run(&jobs, broken.executors(), &mut |_, _| Ok(()), &mut Silent, &AtomicBool::new(false)).unwrap_err();
    assert!(error.to_string().contains("/nowhere/harness cannot be started"), "{error}");
}

/// Starts a harness in another process, kills it without warning once daemons of all its workers run, and
/// waits for everything to go.
fn killed(strategy: &str, processes_of_a_worker: usize, daemons_of_a_worker: usize) {
    let mark = Mark::new();
    let (name, value) = mark.0.split_once('=').unwrap();
    let mut harness = Command::new(WORKER)
        .args(["drive", strategy])
        .env(name, value)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(harness.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "started");
    let workers = machine::cores().len();
    eventually("all workers are busy", || {
        mark.processes().len() == 1 + workers * processes_of_a_worker
            && mark.daemons() == workers * daemons_of_a_worker
    });
    harness.kill().unwrap();
    harness.wait().unwrap();
    eventually("nothing is left of it", || mark.processes().is_empty());
}

#[test]
fn workers_die_with_the_harness() {
    killed("test-sleeps", 2, 0);
}

#[test]
fn daemons_die_with_the_harness() {
    killed("test-nests", 3, 1);
}

#[test]
fn two_builds_make_every_record_once_each() {
    // The second "build" is the same program in another environment, which tells the two apart.
    let mark = Mark::new();
    let other = WorkerCommand::new("env", [&mark.0, WORKER, "worker"]);
    let jobs: Vec<_> = (0..6)
        .map(|repeat| {
            let mut job = job("test-honest", generous());
            job.key.repeat = repeat;
            job
        })
        .collect();
    let jobs = interleaved(jobs, 1);
    let mut made = Vec::new();
    let mut other_was_there = false;
    let mut sink = |job: &Job, record: Record| {
        assert_eq!(record.termination, Termination::Answered);
        assert_eq!(record.key, job.key);
        other_was_there |= !mark.processes().is_empty();
        made.push((job.build == Build::Other, record.key.repeat));
        Ok(())
    };
    run(&jobs, pool().pairs(&other, None), &mut sink, &mut Silent, &AtomicBool::new(false)).unwrap();
    made.sort_unstable();
    let expected: Vec<(bool, u32)> =
        [false, true].into_iter().flat_map(|b| (0..6).map(move |r| (b, r))).collect();
    assert_eq!(made, expected);
    assert!(other_was_there);
    eventually("all workers are gone", || mark.processes().is_empty());
}

/// Gives workers of the same program, and counts how often it is asked.
struct Fresh(std::sync::atomic::AtomicUsize);

impl Renew for Fresh {
    fn renew(&self, number: usize) -> Result<[WorkerCommand; 2], String> {
        self.0.fetch_add(1, Ordering::Relaxed);
        if number > 1000 {
            Err("no room".to_owned())
        } else {
            Ok([(); 2].map(|()| WorkerCommand::new(WORKER, ["worker"])))
        }
    }
}

#[test]
fn two_builds_are_run_from_where_their_copies_are() {
    let spec = PlanSpec { repeats: 2, seed: 3, limits: generous(), sampling: None };
    let jobs = calibrate::calibrated(interleaved(plan(&tasks(3), &["test-honest".into()], &spec), 3));
    // Where the programs lie themselves there is nothing.
    let nowhere = WorkerCommand::new("/nowhere/harness", ["worker"]);
    let pool = Pool { command: nowhere.clone(), cores: Cores::take(1, None).unwrap() };
    let shared: std::sync::Arc<dyn Renew> = std::sync::Arc::new(Fresh(Default::default()));
    let (mut made, mut measured) = ([0, 0], 0);
    let mut sink = |job: &Job, record: Record| {
        assert_eq!(record.termination, Termination::Answered, "{}", record.key);
        match calibrate::measured(job, &record) {
            Some(_) => measured += 1,
            None => made[usize::from(job.build == Build::Other)] += 1,
        }
        Ok(())
    };
    let stop = AtomicBool::new(false);
    let done = run(&jobs, pool.pairs(&nowhere, Some(&shared)), &mut sink, &mut Silent, &stop).unwrap();
    // What is measured of the machine is no record of the plan.
    assert_eq!((done.made, done.left, made), (12, Vec::new(), [6, 6]));
    assert_eq!(measured, 100);

    // Now and then there are others: sooner or later, however slow the machine is.
    let fresh = std::sync::Arc::new(Fresh(Default::default()));
    let alone = |command: &WorkerCommand| ProcessExecutor::new(command.clone(), None);
    let mut pair = PairExecutor::new(alone(&nowhere), alone(&nowhere)).renewing(fresh.clone(), 0);
    let deadline = std::time::Instant::now() + Duration::from_secs(120);
    while fresh.0.load(Ordering::Relaxed) < 3 {
        assert!(std::time::Instant::now() < deadline, "no copies but the first ones");
        assert!(matches!(pair.execute(&jobs[0], &|| false), Execution::Done(_)), "the copies do not work");
        std::thread::sleep(Duration::from_millis(50));
    }

    let mut executor =
        PairExecutor::new(ProcessExecutor::new(nowhere.clone(), None), ProcessExecutor::new(nowhere, None))
            .renewing(fresh, 2000);
    assert_eq!(executor.execute(&jobs[0], &|| false), Execution::Broken("no room".to_owned()));
}
