//! Candidates tried, each in worker processes under limits, several at once.
//!
//! Invariant: of a list of candidates the first interesting one in order is found, however many workers there
//! are and whichever of them is done first. So the outcome does not depend on the number of workers, unless a
//! limit of the whole search, or noise in what is measured, decides.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Instant, SystemTime};

use harness_exec::{Execution, Executor, Job, executor};
use harness_model::record::{Record, RunKey};
use harness_model::{Limits, Question, Status};

use crate::interest::{Interest, TASK};
use crate::outlier::{Outlier, REPEATS};

/// A strategy that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contender {
    /// The name for people.
    pub name: String,
    /// The name by which a worker is asked for it.
    pub canonical: Arc<str>,
}

/// When a search ends though it could go on.
#[derive(Clone, Debug)]
pub struct Ends {
    /// At this time.
    pub deadline: Option<Instant>,
    /// After so many candidates were run.
    pub most: u64,
    /// When somebody says so.
    pub stop: Arc<AtomicBool>,
}

/// Why nothing more can be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It took the time that it may take.
    Deadline,
    /// It tried as many candidates as it may.
    Tried,
    /// Somebody stopped it.
    Stopped,
}

/// A worker cannot be started: why, and the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken(pub String);

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Broken {}

/// Where candidates are tried.
pub struct Bench<E> {
    executors: Vec<E>,
    room: Room,
}

/// What all workers have in common.
struct Room {
    contenders: Vec<Contender>,
    limits: Limits,
    ends: Ends,
    /// Digests of candidates that were tried and are not interesting.
    dull: Mutex<HashSet<u64>>,
    tried: AtomicU64,
}

/// A mutex that a panic of another thread does not close: what is behind it is whole after every step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What became of a try.
enum Try {
    Held(bool),
    /// Given up: it does not matter any more, or the search has ended.
    GivenUp,
    Broken(String),
}

impl<E: Executor> Bench<E> {
    /// On these executors; at least one.
    pub fn new(executors: Vec<E>, contenders: Vec<Contender>, limits: Limits, ends: Ends) -> Self {
        let (dull, tried) = (Mutex::default(), AtomicU64::new(0));
        Self { executors, room: Room { contenders, limits, ends, dull, tried } }
    }

    /// The strategies.
    pub fn contenders(&self) -> &[Contender] {
        &self.room.contenders
    }

    /// From now on so many candidates at most are run, those before among them.
    pub fn end_after(&mut self, most: u64) {
        self.room.ends.most = most;
    }

    /// How many candidates were run.
    pub fn tried(&self) -> u64 {
        self.room.tried.load(Ordering::Relaxed)
    }

    /// Why nothing more is tried, if so.
    pub fn ended(&self) -> Option<End> {
        self.room.ended()
    }

    /// A record of each of the strategies at `places` on a question; `None` when stopped meanwhile. The time
    /// and number of candidates that a search may take do not matter here.
    ///
    /// # Errors
    ///
    /// When no worker can be started.
    pub fn records(&mut self, question: &Question, places: &[usize]) -> Result<Option<Vec<Record>>, Broken> {
        let (question, limits) = (Arc::new(question.clone()), self.room.limits);
        let Some(executor) = self.executors.first_mut() else { return Err(no_executor()) };
        let stop = Arc::clone(&self.room.ends.stop);
        let stopped = move || stop.load(Ordering::Relaxed);
        let mut records = Vec::new();
        for &place in places {
            match run(executor, &self.room.contenders[place], &question, limits, &stopped) {
                Ok(record) => records.push(record),
                Err(Try::Broken(why)) => return Err(Broken(why)),
                Err(_) => return Ok(None),
            }
        }
        Ok(Some(records))
    }

    /// Whether a question is interesting, without a margin and without what was tried before; `None` when
    /// stopped meanwhile.
    ///
    /// # Errors
    ///
    /// When no worker can be started.
    pub fn holds(&mut self, question: &Question, interest: &Interest) -> Result<Option<bool>, Broken> {
        let (question, stop) = (Arc::new(question.clone()), Arc::clone(&self.room.ends.stop));
        let stopped = move || stop.load(Ordering::Relaxed);
        let trial = self.room.trial(interest, false);
        let Some(executor) = self.executors.first_mut() else { return Err(no_executor()) };
        match trial.holds(executor, &question, &stopped) {
            Try::Held(held) => Ok(Some(held)),
            Try::GivenUp => Ok(None),
            Try::Broken(why) => Err(Broken(why)),
        }
    }

    /// The first of `count` candidates that is interesting, with its number; `make` gives each one, or `None`
    /// where there is none. `None` when none of them is, or when the search ends meanwhile.
    ///
    /// # Errors
    ///
    /// When no worker can be started.
    pub fn first(
        &mut self,
        interest: &Interest,
        count: usize,
        make: &(dyn Fn(usize) -> Option<Question> + Sync),
    ) -> Result<Option<(usize, Question)>, Broken> {
        let (next, best) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
        let found: Mutex<Option<Question>> = Mutex::new(None);
        let broken: Mutex<Option<String>> = Mutex::new(None);
        let this = &self.room;
        let trial = this.trial(interest, true);
        let serve = |executor: &mut E| {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count || number > best.load(Ordering::Relaxed) || this.ended().is_some() {
                    return;
                }
                let Some(question) = make(number) else { continue };
                let digest = digest(&question);
                if lock(&this.dull).contains(&digest) {
                    continue;
                }
                this.tried.fetch_add(1, Ordering::Relaxed);
                let stopped = || {
                    best.load(Ordering::Relaxed) < number
                        || matches!(this.ended(), Some(End::Stopped | End::Deadline))
                };
                let question = Arc::new(question);
                match trial.holds(executor, &question, &stopped) {
                    Try::Held(true) => {
                        let mut found = lock(&found);
                        if best.fetch_min(number, Ordering::Relaxed) > number {
                            *found = Some(Question::clone(&question));
                        }
                    }
                    Try::Held(false) => {
                        lock(&this.dull).insert(digest);
                    }
                    Try::GivenUp => {}
                    Try::Broken(why) => {
                        lock(&broken).get_or_insert(why);
                        // Nothing after this is begun.
                        next.store(count, Ordering::Relaxed);
                        return;
                    }
                }
            }
        };
        match self.executors.as_mut_slice() {
            [one] => serve(one),
            many => thread::scope(|scope| {
                let serve = &serve;
                for executor in many {
                    scope.spawn(move || serve(executor));
                }
            }),
        }
        if let Some(why) = lock(&broken).take() {
            return Err(Broken(why));
        }
        let found = lock(&found).take();
        Ok(found.map(|question| (best.load(Ordering::Relaxed), question)))
    }
}

impl Room {
    fn ended(&self) -> Option<End> {
        if self.ends.stop.load(Ordering::Relaxed) {
            Some(End::Stopped)
        } else if self.ends.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(End::Deadline)
        } else if self.tried.load(Ordering::Relaxed) >= self.ends.most {
            Some(End::Tried)
        } else {
            None
        }
    }

    fn trial<'a>(&'a self, interest: &'a Interest, margin: bool) -> Trial<'a> {
        Trial { contenders: &self.contenders, interest, limits: self.limits, margin }
    }
}

fn no_executor() -> Broken {
    Broken("there is no worker to try anything with".to_owned())
}

fn digest(question: &Question) -> u64 {
    let mut hasher = DefaultHasher::new();
    question.alphabet.name().hash(&mut hasher);
    match &question.kind {
        harness_model::QuestionKind::Operations(asked) => {
            asked.regexes.hash(&mut hasher);
            asked.operations.hash(&mut hasher);
        }
        harness_model::QuestionKind::Script(script) => script.hash(&mut hasher),
        harness_model::QuestionKind::System(system) => system.hash(&mut hasher),
        harness_model::QuestionKind::Grammars(grammars) => grammars.hash(&mut hasher),
    }
    hasher.finish()
}

fn run<E: Executor>(
    executor: &mut E,
    contender: &Contender,
    question: &Arc<Question>,
    limits: Limits,
    stopped: &(dyn Fn() -> bool + Sync),
) -> Result<Record, Try> {
    let job = Job {
        key: RunKey { task: TASK.to_owned(), strategy: contender.name.clone(), repeat: 0 },
        strategy: Arc::clone(&contender.canonical),
        family: TASK.to_owned(),
        question: Arc::clone(question),
        limits,
        sampling: None,
        build: Default::default(),
    };
    let started = SystemTime::now();
    match executor.execute(&job, stopped) {
        Execution::Done(reply) => Ok(executor::record(&job, reply, executor.core(), started)),
        Execution::Stopped => Err(Try::GivenUp),
        Execution::Broken(why) => Err(Try::Broken(why)),
    }
}

/// How one candidate is tried.
struct Trial<'a> {
    contenders: &'a [Contender],
    interest: &'a Interest,
    limits: Limits,
    margin: bool,
}

impl Trial<'_> {
    /// A record of the strategy of want number `number`; another one, once, where the first one tells
    /// nothing.
    fn run<E: Executor>(
        &self,
        number: usize,
        executor: &mut E,
        question: &Arc<Question>,
        limits: Limits,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Record, Try> {
        let contender = &self.contenders[self.interest.wants[number].strategy];
        let record = run(executor, contender, question, limits, stopped)?;
        if self.interest.was_killed(number, &record) {
            return run(executor, contender, question, limits, stopped);
        }
        Ok(record)
    }

    fn holds<E: Executor>(
        &self,
        executor: &mut E,
        question: &Arc<Question>,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Try {
        let held = match &self.interest.outlier {
            Some(outlier) => self.is_outlier(outlier, executor, question, stopped),
            None => self.shows(executor, question, stopped),
        };
        match held {
            Ok(held) => Try::Held(held),
            Err(ended) => ended,
        }
    }

    /// The strategies one after the other: the first one that does not show its part ends it.
    fn shows<E: Executor>(
        &self,
        executor: &mut E,
        question: &Arc<Question>,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, Try> {
        let mut records = Vec::with_capacity(self.interest.wants.len());
        for number in 0..self.interest.wants.len() {
            let record = self.run(number, executor, question, self.limits, stopped)?;
            if !self.interest.may_hold(number, question, &record) {
                return Ok(false);
            }
            records.push(record);
        }
        Ok(self.interest.holds(question, &records))
    }

    /// Whether the slow strategy takes long enough beside the fast one, in every one of the runs.
    fn is_outlier<E: Executor>(
        &self,
        outlier: &Outlier,
        executor: &mut E,
        question: &Arc<Question>,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, Try> {
        let [slow, _] = self.interest.wants.as_slice() else { return Ok(false) };
        let repeats = if outlier.measure.is_time() { REPEATS } else { 1 };
        let (mut least_fast, mut least_slow) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..repeats {
            let record = self.run(1, executor, question, self.limits, stopped)?;
            if !self.interest.may_hold(1, question, &record) {
                return Ok(false);
            }
            let Some(took) = outlier.fast(&record) else { return Ok(false) };
            least_fast = least_fast.min(took);
            let needed = outlier.needed(least_fast, self.margin);
            let limits = outlier.watched(self.limits, needed);
            let record = self.run(0, executor, question, limits, stopped)?;
            let at_limit = matches!(record.termination, harness_model::record::Termination::Timeout(_));
            let answered = match slow.shown.status {
                // It was never seen to answer: whatever it says late is its answer.
                Status::Timeout => record.termination == harness_model::record::Termination::Answered,
                _ => self.interest.may_hold(0, question, &record),
            };
            if !at_limit && !answered {
                return Ok(false);
            }
            let Some(took) = outlier.slow(&record, &limits) else { return Ok(false) };
            least_slow = least_slow.min(took);
            if least_slow < needed {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
pub(crate) mod testkit {
    use std::time::Duration;

    use harness_exec::fake::FakeExecutor;

    use super::*;

    /// A second, and memory enough.
    pub fn limits() -> Limits {
        let second = Duration::from_secs(1);
        Limits { wall: second, cpu: second, memory: 1 << 30 }
    }

    /// Two strategies that behave like this, without an end but that of the search.
    pub fn bench<F: FnMut(&Job) -> Execution + Send + Clone>(
        workers: usize,
        strategies: [&str; 2],
        behave: F,
    ) -> Bench<FakeExecutor<F>> {
        let contender = |name: &str| Contender { name: name.to_owned(), canonical: name.into() };
        let ends = Ends { deadline: None, most: u64::MAX, stop: Arc::default() };
        let executors = (0..workers).map(|_| FakeExecutor::new(behave.clone())).collect();
        Bench::new(executors, strategies.map(contender).to_vec(), limits(), ends)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use harness_exec::fake::{self, FakeExecutor};
    use harness_model::record::Termination;
    use harness_model::{Alphabet, Answer, Verdict};

    use super::*;
    use crate::interest::shown;

    fn question(text: &str) -> Question {
        Question::of_script(Alphabet::Ascii, format!("(declare-const v{text} String)(check-sat)"), 1)
    }

    fn text(job: &Job) -> &str {
        job.question.as_script().map_or("", |script| script.text.as_str())
    }

    fn bench<F: FnMut(&Job) -> Execution + Send + Clone>(
        workers: usize,
        behave: F,
    ) -> Bench<FakeExecutor<F>> {
        testkit::bench(workers, ["a", "b"], behave)
    }

    /// `a` crashes on scripts with an `x`; those with a `z` take long.
    fn crashes(job: &Job) -> Execution {
        if text(job).contains('z') {
            thread::sleep(Duration::from_millis(5));
        }
        let mut reply = fake::reply(Termination::Answered);
        if text(job).contains('x') && job.key.strategy == "a" {
            reply.termination = Termination::Signal(11);
        } else {
            reply.answers = vec![Answer::of(Verdict::Unsat)];
        }
        Execution::Done(reply)
    }

    #[test]
    fn the_first_one_wins_whoever_is_done_first() {
        let texts: Vec<String> = (0..60)
            .map(|n| if n < 20 { format!("{n}") } else { format!("x{n}{}", "z".repeat(n % 3)) })
            .collect();
        for workers in [1, 2, 5] {
            let mut bench = bench(workers, crashes);
            let first = question("x");
            let records = bench.records(&first, &[0, 1]).unwrap().unwrap();
            let interest = Interest::find(&shown(&first, &records)).unwrap();
            let make = |n: usize| (n != 20).then(|| question(&texts[n]));
            let (number, found) = bench.first(&interest, texts.len(), &make).unwrap().unwrap();
            assert_eq!((number, found), (21, question(&texts[21])), "{workers} workers");
        }
    }

    #[test]
    fn nothing_is_tried_twice_and_no_more_than_allowed() {
        let mut bench = bench(1, crashes);
        let first = question("x");
        let records = bench.records(&first, &[0]).unwrap().unwrap();
        let interest = Interest::find(&shown(&first, &records)).unwrap();
        let make = |n: usize| Some(question(&(n % 3).to_string()));
        assert_eq!(bench.first(&interest, 9, &make).unwrap(), None);
        assert_eq!(bench.tried(), 3);
        bench.end_after(3);
        assert_eq!(bench.first(&interest, 1, &|_| Some(question("xx"))).unwrap(), None);
        assert_eq!(bench.ended(), Some(End::Tried));
    }

    #[test]
    fn another_crash_is_not_the_same() {
        let behave = |job: &Job| {
            let signal = if text(job).contains('y') { 6 } else { 11 };
            Execution::Done(fake::reply(Termination::Signal(signal)))
        };
        let mut bench = bench(1, behave);
        let first = question("x");
        let records = bench.records(&first, &[0]).unwrap().unwrap();
        let interest = Interest::find(&shown(&first, &records)).unwrap();
        assert_eq!(bench.holds(&question("y"), &interest).unwrap(), Some(false));
        assert_eq!(bench.holds(&question("z"), &interest).unwrap(), Some(true));
    }

    #[test]
    fn records_of_a_run_show_the_same() {
        let first = question("x");
        let records = bench(1, crashes).records(&first, &[0, 1]).unwrap().unwrap();
        let mut named = records.clone();
        for record in &mut named {
            record.key.task = "scripts/a".to_owned();
        }
        assert_eq!(shown(&first, &named), shown(&first, &records));
    }

    #[test]
    fn what_was_killed_is_run_again() {
        // Each candidate is killed at first; one with a `q` always.
        let seen = Arc::new(Mutex::new(HashSet::new()));
        let behave = move |job: &Job| {
            let first = lock(&seen).insert(text(job).to_owned());
            if text(job).contains('q') || first && !text(job).contains("vx ") {
                return Execution::Done(fake::reply(Termination::Signal(9)));
            }
            crashes(job)
        };
        let mut bench = bench(1, behave);
        let first = question("x");
        let records = bench.records(&first, &[0]).unwrap().unwrap();
        let interest = Interest::find(&shown(&first, &records)).unwrap();
        for (name, held) in [("xx", true), ("xq", false), ("y", false)] {
            let found = bench.first(&interest, 1, &|_| Some(question(name))).unwrap();
            assert_eq!(found.is_some(), held, "{name}");
        }
        // A kill that is kept is no accident.
        let killed = question("q");
        let records = bench.records(&killed, &[0]).unwrap().unwrap();
        let interest = Interest::find(&shown(&killed, &records)).unwrap();
        assert_eq!(bench.holds(&question("qq"), &interest).unwrap(), Some(true));
    }

    #[test]
    fn a_slow_one_has_to_be_slow_every_time() {
        // Slow on `x` only; on `y` by accident, the first time.
        let seen = Arc::new(AtomicUsize::new(0));
        let behave = move |job: &Job| {
            let mut reply = fake::reply(Termination::Answered);
            reply.answers = vec![Answer::of(Verdict::Unsat)];
            let slow = job.key.strategy == "a"
                && (text(job).contains('x')
                    || text(job).contains('y') && seen.fetch_add(1, Ordering::Relaxed) == 0);
            let wall_ns = if slow { 500_000_000 } else { 10_000_000 };
            reply.usage = Some(harness_model::record::Usage { wall_ns, ..Default::default() });
            Execution::Done(reply)
        };
        let mut bench = bench(1, behave);
        let first = question("x");
        let records = bench.records(&first, &[0, 1]).unwrap().unwrap();
        let outlier = Outlier { measure: crate::outlier::Measure::Wall, ratio: 10.0, least: 0.05 };
        let interest = Interest::outlier(outlier, 0, 1, &shown(&first, &records)).unwrap();
        assert_eq!(bench.holds(&question("x"), &interest).unwrap(), Some(true));
        assert_eq!(bench.holds(&question("y"), &interest).unwrap(), Some(false));
        assert_eq!(bench.holds(&question("z"), &interest).unwrap(), Some(false));
    }
}
