//! Hands out jobs in plan order, one at a time to each executor, and collects their records.
//!
//! Executors run on threads of their own; the sink and the observer are called on the caller's thread alone, so
//! neither needs a lock. A record is handed to the sink as soon as it is made. When the stop flag is raised no further
//! job is handed out and what is in flight is killed; there is no half a record.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use harness_model::record::{Record, RunKey};

use crate::executor::{self, Execution, Executor};
use crate::plan::Job;

/// How often the observer hears of a run in which nothing happens.
const TICK: Duration = Duration::from_millis(200);

/// Hears how a run goes; called on the thread that called [`run`].
pub trait Observer {
    /// A job was handed out.
    fn started(&mut self, progress: &Progress) {
        let _ = progress;
    }

    /// A record was made, and the sink has it.
    fn finished(&mut self, progress: &Progress, record: &Record) {
        let _ = (progress, record);
    }

    /// Some time passed: at least five times a second while nothing else happens.
    fn tick(&mut self, progress: &Progress) {
        let _ = progress;
    }
}

/// An observer that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// How far a run is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Jobs that this call was given.
    pub planned: usize,
    /// Records made.
    pub done: usize,
    /// What each worker is doing, by its number.
    pub running: BTreeMap<usize, Running>,
    /// When the run started.
    pub since: Instant,
    clocks: Clocks,
}

/// A job in flight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    /// Which.
    pub key: RunKey,
    /// Since when.
    pub since: Instant,
}

/// What is needed to guess how long the rest takes: time and jobs, by strategy.
#[derive(Clone, Debug, Default)]
struct Clocks {
    workers: u32,
    left: BTreeMap<String, u32>,
    spent: BTreeMap<String, (Duration, u32)>,
}

impl Progress {
    fn new(jobs: &[Job], workers: usize) -> Self {
        let mut left = BTreeMap::new();
        for job in jobs {
            *left.entry(job.key.strategy.clone()).or_insert(0) += 1;
        }
        let workers = u32::try_from(workers).unwrap_or(u32::MAX).max(1);
        Self {
            planned: jobs.len(),
            done: 0,
            running: BTreeMap::new(),
            since: Instant::now(),
            clocks: Clocks { workers, left, spent: BTreeMap::new() },
        }
    }

    fn start(&mut self, worker: usize, key: &RunKey, since: Instant) {
        self.running.insert(worker, Running { key: key.clone(), since });
    }

    fn finish(&mut self, worker: usize, strategy: &str, took: Duration) {
        self.running.remove(&worker);
        self.done += 1;
        if let Some(left) = self.clocks.left.get_mut(strategy) {
            *left = left.saturating_sub(1);
        }
        let (time, jobs) = self.clocks.spent.entry(strategy.to_owned()).or_default();
        *time += took;
        *jobs += 1;
    }

    /// About how long the rest takes: for each strategy its mean so far times its jobs left, over the workers; the mean
    /// of all stands in for a strategy that has no record yet. `None` before the first record.
    pub fn eta(&self) -> Option<Duration> {
        let (time, jobs) = self
            .clocks
            .spent
            .values()
            .fold((Duration::ZERO, 0), |(time, jobs), spent| (time + spent.0, jobs + spent.1));
        let overall = time.checked_div(jobs)?;
        let rest = self.clocks.left.iter().fold(Duration::ZERO, |rest, (strategy, left)| {
            let mean = self.clocks.spent.get(strategy).and_then(|(time, jobs)| time.checked_div(*jobs));
            rest.saturating_add(mean.unwrap_or(overall).saturating_mul(*left))
        });
        rest.checked_div(self.clocks.workers)
    }
}

/// How a run ended that did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// How many records were made and taken by the sink.
    pub made: usize,
    /// The jobs without a record, in plan order; empty unless the run was stopped.
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

/// What takes records: appends and flushes them. An error ends the run.
pub type Sink<'a> = dyn FnMut(Record) -> Result<(), Box<dyn std::error::Error + Send + Sync>> + 'a;

/// What a worker's thread tells the caller's.
enum Event {
    Started { worker: usize, index: usize, at: Instant },
    Finished { worker: usize, index: usize, took: Duration, record: Box<Record> },
    Broken(String),
}

/// Runs the jobs in their order, as many at a time as there are executors, until all are done or `stop` is raised.
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
    let mut progress = Progress::new(jobs, executors.len());
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
                Ok(Event::Started { worker, index, at }) => {
                    progress.start(worker, &jobs[index].key, at);
                    observer.started(&progress);
                }
                Ok(Event::Finished { worker, index, took, record }) => {
                    progress.finish(worker, &jobs[index].key.strategy, took);
                    if failure.is_some() {
                        continue;
                    }
                    let kept = Record::clone(&record);
                    match sink(*record) {
                        Ok(()) => {
                            made[index] = true;
                            observer.finished(&progress, &kept);
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
    let left = jobs.iter().zip(&made).filter(|(_, made)| !**made).map(|(job, _)| job.clone()).collect();
    Ok(Finished { made: made.iter().filter(|made| **made).count(), left })
}

/// One worker's thread: takes the next job until there is none. Sending fails only when the caller's side is gone.
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

    use harness_model::record::Termination;
    use harness_model::{Alphabet, Limits, Question};

    use super::*;
    use crate::fake::{self, FakeExecutor};

    fn jobs(count: u32) -> Vec<Job> {
        let question =
            Arc::new(Question { alphabet: Alphabet::Ascii, regexes: Vec::new(), operations: Vec::new() });
        let limits = Limits { wall: Duration::from_secs(1), cpu: Duration::from_secs(1), memory: 1 << 30 };
        (0..count)
            .map(|n| Job {
                key: RunKey { task: format!("t{n}"), strategy: "s".into(), repeat: 0 },
                family: "f".into(),
                question: Arc::clone(&question),
                limits,
                sampling: None,
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
        let mut sink = |record: Record| {
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
        let mut sink = |record: Record| {
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
        let mut sink = |_| {
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
        let mut sink = |_| {
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
            &mut |_| Ok(()),
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
        let error = run(&jobs(1), none, &mut |_| Ok(()), &mut Silent, &AtomicBool::new(false));
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
        run(&jobs(3), vec![FakeExecutor::new(answer)], &mut |_| Ok(()), &mut counts, &AtomicBool::new(false))
            .unwrap();
        assert_eq!((counts.started, counts.finished), (3, vec![1, 2, 3]));
        assert_eq!(counts.eta, Some(Duration::ZERO), "nothing is left");
    }

    #[test]
    fn the_rest_is_guessed_from_what_was_seen() {
        let mut all = jobs(6);
        for job in &mut all[3..] {
            job.key.strategy = "slow".into();
        }
        let mut progress = Progress::new(&all, 2);
        assert_eq!(progress.eta(), None);
        progress.finish(0, "s", Duration::from_secs(2));
        // Two of "s" and three of "slow", of which nothing is known: five times two seconds on two workers.
        assert_eq!(progress.eta(), Some(Duration::from_secs(5)));
        progress.finish(0, "slow", Duration::from_secs(100));
        assert_eq!(progress.eta(), Some(Duration::from_secs(102)));
    }
}
