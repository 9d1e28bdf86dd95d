//! Hands out jobs in plan order, one at a time to each executor, and collects their records.
//!
//! Executors run on threads of their own; the sink and the observer are called on the caller's thread alone,
//! so neither needs a lock. A record is handed to the sink as soon as it is made. When the stop flag is
//! raised no further job is handed out and what is in flight is killed; there is no half a record.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use harness_model::record::Record;

use crate::executor::{self, Execution, Executor};
use crate::plan::Job;
pub use crate::progress::{Observer, Progress, Running, Silent};

/// How often the observer hears of a run in which nothing happens.
const TICK: Duration = Duration::from_millis(200);

/// How a run ended that did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// How many records of the plan were made and taken by the sink.
    pub made: usize,
    /// The jobs of the plan without a record, in its order; empty unless the run was stopped.
    pub left: Vec<Job>,
}

/// Why a run could not go on. The records made until then are with the sink.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// More workers than cores that may be used.
    #[error(
        "{asked} workers on {cores} usable cores: at most one worker a core, so ask for {cores} or fewer"
    )]
    TooManyWorkers {
        /// Workers.
        asked: usize,
        /// Cores.
        cores: usize,
    },
    /// A core that is wanted may not be used.
    #[error("core {core} is none that this process may use: {}", usable.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))]
    NoSuchCore {
        /// Which.
        core: u32,
        /// Those that may be.
        usable: Vec<u32>,
    },
    /// There is nothing to run the jobs with.
    #[error("a run needs at least one worker")]
    NoWorkers,
    /// An executor cannot go on.
    #[error("{0}")]
    Broken(String),
    /// The sink refused a record.
    #[error("a record could not be stored: {0}")]
    Sink(Box<dyn std::error::Error + Send + Sync>),
}

/// What takes records, each with the job that it is of: appends and flushes them. An error ends the run.
pub type Sink<'a> = dyn FnMut(&Job, Record) -> Result<(), Box<dyn std::error::Error + Send + Sync>> + 'a;

/// What a worker's thread tells the caller's.
enum Event {
    Started { worker: usize, index: usize, at: Instant },
    Finished { worker: usize, index: usize, took: Duration, record: Box<Record> },
    Broken(String),
}

/// Runs the jobs in their order, as many at a time as there are executors, until all are done or `stop` is
/// raised.
///
/// A job that crashes or overruns is a record, not an error; errors are what makes going on pointless.
pub fn run<E: Executor>(
    jobs: &[Job],
    executors: Vec<E>,
    sink: &mut Sink<'_>,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<Finished, RunError> {
    if executors.is_empty() {
        return Err(RunError::NoWorkers);
    }
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let stopped = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
    let planned = jobs.iter().filter(|job| job.calibration().is_none());
    let mut progress = Progress::of(planned.map(|job| job.key.strategy.as_str()), executors.len());
    let mut made = vec![false; jobs.len()];
    let mut failure = None;
    thread::scope(|scope| {
        let (events, inbox) = mpsc::channel();
        for (worker, mut executor) in executors.into_iter().enumerate() {
            let (events, next, stopped) = (events.clone(), &next, &stopped);
            scope.spawn(move || serve(worker, jobs, &mut executor, next, stopped, &events));
        }
        drop(events);
        loop {
            match inbox.recv_timeout(TICK) {
                // What is measured of the machine is no part of how far the plan is.
                Ok(Event::Started { index, .. }) if jobs[index].calibration().is_some() => {}
                Ok(Event::Started { worker, index, at }) => {
                    progress.start(worker, &jobs[index].key, at);
                    observer.started(&progress);
                }
                Ok(Event::Finished { worker, index, took, record }) => {
                    let planned = jobs[index].calibration().is_none();
                    if planned {
                        progress.finish(worker, &jobs[index].key.strategy, took);
                    }
                    if failure.is_some() {
                        continue;
                    }
                    let kept = Record::clone(&record);
                    match sink(&jobs[index], *record) {
                        Ok(()) => {
                            made[index] = true;
                            if planned {
                                observer.finished(&progress, &kept);
                            }
                        }
                        Err(error) => {
                            failed.store(true, Ordering::Relaxed);
                            failure = Some(RunError::Sink(error));
                        }
                    }
                }
                Ok(Event::Broken(why)) => {
                    failed.store(true, Ordering::Relaxed);
                    failure.get_or_insert(RunError::Broken(why));
                }
                Err(RecvTimeoutError::Timeout) => observer.tick(&progress),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    let (done, left): (Vec<_>, Vec<_>) =
        jobs.iter().zip(made).filter(|(job, _)| job.calibration().is_none()).partition(|(_, made)| *made);
    Ok(Finished { made: done.len(), left: left.into_iter().map(|(job, _)| job.clone()).collect() })
}

/// One worker's thread: takes the next job until there is none. Sending fails only when the caller's side is
/// gone.
fn serve<E: Executor>(
    worker: usize,
    jobs: &[Job],
    executor: &mut E,
    next: &AtomicUsize,
    stopped: &(dyn Fn() -> bool + Sync),
    events: &mpsc::Sender<Event>,
) {
    while !stopped() {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(job) = jobs.get(index) else { return };
        let (at, started) = (Instant::now(), SystemTime::now());
        if events.send(Event::Started { worker, index, at }).is_err() {
            return;
        }
        let event = match executor.execute(job, stopped) {
            Execution::Done(reply) => {
                let record = Box::new(executor::record(job, reply, executor.core(), started));
                Event::Finished { worker, index, took: at.elapsed(), record }
            }
            Execution::Stopped => return,
            Execution::Broken(why) => Event::Broken(why),
        };
        let broken = matches!(event, Event::Broken(_));
        if events.send(event).is_err() || broken {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::{Arc, Barrier};

    use harness_model::record::{RunKey, Termination};
    use harness_model::{Alphabet, Limits, Question};

    use super::*;
    use crate::fake::{self, FakeExecutor};

    fn jobs(count: u32) -> Vec<Job> {
        let question = Arc::new(Question::of_operations(Alphabet::Ascii, Vec::new(), Vec::new()));
        let limits = Limits { wall: Duration::from_secs(1), cpu: Duration::from_secs(1), memory: 1 << 30 };
        (0..count)
            .map(|n| Job {
                key: RunKey { task: format!("t{n}"), strategy: "s".into(), repeat: 0 },
                strategy: "test".into(),
                family: "f".into(),
                question: Arc::clone(&question),
                limits,
                sampling: None,
                build: Default::default(),
            })
            .collect()
    }

    fn answer(_: &Job) -> Execution {
        Execution::Done(fake::reply(Termination::Answered))
    }

    #[test]
    fn one_executor_keeps_the_order() {
        let jobs = jobs(20);
        let mut made = Vec::new();
        let mut sink = |_: &Job, record: Record| {
            made.push(record.key);
            Ok(())
        };
        let finished =
            run(&jobs, vec![FakeExecutor::new(answer)], &mut sink, &mut Silent, &AtomicBool::new(false))
                .unwrap();
        assert_eq!(finished, Finished { made: 20, left: Vec::new() });
        assert_eq!(made, jobs.iter().map(|job| job.key.clone()).collect::<Vec<_>>());
    }

    #[test]
    fn executors_work_at_the_same_time() {
        // Neither of two jobs ends before both have begun.
        let barrier = Barrier::new(2);
        let both = |job: &Job| {
            barrier.wait();
            answer(job)
        };
        let mut made = HashSet::new();
        let mut sink = |_: &Job, record: Record| {
            made.insert(record.key);
            Ok(())
        };
        let executors = vec![FakeExecutor::new(&both), FakeExecutor::new(&both)];
        run(&jobs(2), executors, &mut sink, &mut Silent, &AtomicBool::new(false)).unwrap();
        assert_eq!(made.len(), 2);
    }

    #[test]
    fn stopping_leaves_the_rest() {
        let stop = AtomicBool::new(false);
        let jobs = jobs(10);
        let mut made = 0;
        let mut sink = |_: &Job, _| {
            made += 1;
            Ok(())
        };
        let behave = |job: &Job| {
            if job.key.task == "t4" {
                stop.store(true, Ordering::Relaxed);
                return Execution::Stopped;
            }
            answer(job)
        };
        let finished = run(&jobs, vec![FakeExecutor::new(behave)], &mut sink, &mut Silent, &stop).unwrap();
        assert_eq!((finished.made, made), (4, 4));
        assert_eq!(finished.left, jobs[4..]);
    }

    #[test]
    fn a_full_disk_ends_the_run() {
        let mut asked = 0;
        let mut sink = |_: &Job, _| {
            asked += 1;
            if asked < 3 { Ok(()) } else { Err("no space left on device".into()) }
        };
        let error = run(
            &jobs(1000),
            vec![FakeExecutor::new(answer), FakeExecutor::new(answer)],
            &mut sink,
            &mut Silent,
            &AtomicBool::new(false),
        )
        .unwrap_err();
        assert_eq!(error.to_string(), "a record could not be stored: no space left on device");
        assert_eq!(asked, 3, "nothing is offered to a sink that refused");
    }

    #[test]
    fn a_broken_executor_ends_the_run() {
        let behave = |_: &Job| Execution::Broken("no worker".into());
        let error = run(
            &jobs(3),
            vec![FakeExecutor::new(behave)],
            &mut |_, _| Ok(()),
            &mut Silent,
            &AtomicBool::new(false),
        )
        .unwrap_err();
        assert_eq!(error.to_string(), "no worker");
    }

    #[test]
    fn no_executor_is_an_error() {
        let mut none = vec![FakeExecutor::new(answer)];
        none.clear();
        let error = run(&jobs(1), none, &mut |_, _| Ok(()), &mut Silent, &AtomicBool::new(false));
        assert!(matches!(error, Err(RunError::NoWorkers)));
    }

    #[test]
    fn the_observer_hears_of_everything() {
        #[derive(Default)]
        struct Counts {
            started: usize,
            finished: Vec<usize>,
            eta: Option<Duration>,
        }
        impl Observer for Counts {
            fn started(&mut self, progress: &Progress) {
                self.started += 1;
                assert!(!progress.running.is_empty());
            }
            fn finished(&mut self, progress: &Progress, _: &Record) {
                self.finished.push(progress.done);
                self.eta = progress.eta();
            }
        }
        let mut counts = Counts::default();
        run(
            &jobs(3),
            vec![FakeExecutor::new(answer)],
            &mut |_, _| Ok(()),
            &mut counts,
            &AtomicBool::new(false),
        )
        .unwrap();
        assert_eq!((counts.started, counts.finished), (3, vec![1, 2, 3]));
        assert_eq!(counts.eta, Some(Duration::ZERO), "nothing is left");
    }
}
