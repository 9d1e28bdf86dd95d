//! Records made in worker processes, seen from the harness.
//!
//! Each [`ProcessExecutor`] owns one worker, bound to one core, and starts another when that one is gone, or
//! has grown so that the next record would not start from the memory of the first. The worker enforces the
//! limits; the executor watches the worker: one that does not answer in good time, breaks the protocol or
//! dies is ended with all that descends from it, the record in flight says so, and the run goes on.

use std::ffi::OsString;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::time::{Duration, Instant};

use backends_api::protocol::{Reply, Request};
use harness_model::record::Termination;

use crate::cores::Cores;
use crate::executor::{Execution, Executor};
use crate::plan::{Build, Job};
use crate::remote::{Failure, Worker};

/// How much longer than the limits of its record a worker may take before it counts as stuck.
const GRACE: Duration = Duration::from_secs(10);

/// How long after a worker the harness may be ended by whoever ends both.
const SOON: Duration = Duration::from_millis(200);

/// How a worker is started.
#[derive(Clone, Debug)]
pub struct WorkerCommand {
    program: PathBuf,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
}

impl WorkerCommand {
    /// This very program with the argument `worker`; also when its file has been replaced since.
    pub fn this_program() -> Self {
        Self::new("/proc/self/exe", ["worker"])
    }

    /// Not started yet.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        // As it stands in lists of processes: not by the way the program was found.
        command.arg0("harness");
        command.args(&self.arguments).envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// The same arguments for the program in the file `program`.
    #[must_use]
    pub fn at(&self, program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), ..self.clone() }
    }

    /// With a variable of the environment.
    #[must_use]
    pub fn with_variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Its file.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Another program that calls [`crate::worker::serve`].
    pub fn new<A: Into<OsString>>(
        program: impl Into<PathBuf>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        Self {
            program: program.into(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            environment: Vec::new(),
        }
    }
}

/// Workers, at most one a core.
#[derive(Clone, Debug)]
pub struct Pool {
    /// How each is started.
    pub command: WorkerCommand,
    /// One worker on each of these.
    pub cores: Cores,
}

impl Pool {
    /// An executor on each core. Starts no process yet. The cores are kept for as long as one of the
    /// executors or the pool lives.
    pub fn executors(&self) -> Vec<ProcessExecutor> {
        let executor = |core| ProcessExecutor {
            _cores: Some(self.cores.clone()),
            ..ProcessExecutor::new(self.command.clone(), Some(core))
        };
        self.cores.numbers().into_iter().map(executor).collect()
    }

    /// The same with a second program beside the first one, on the same cores; both are [renewed](Renew) now
    /// and then where `renew` says how.
    pub fn pairs(&self, other: &WorkerCommand, renew: Option<&Arc<dyn Renew>>) -> Vec<PairExecutor> {
        let others = Self { command: other.clone(), ..self.clone() }.executors();
        self.executors()
            .into_iter()
            .zip(others)
            .enumerate()
            .map(|(number, (this, other))| match renew {
                Some(renew) => PairExecutor::new(this, other).renewing(Arc::clone(renew), number),
                None => PairExecutor::new(this, other),
            })
            .collect()
    }
}

/// Makes records in either of two worker processes on one core, as [`Job::build`] says. Only one of them
/// works at a time.
///
/// With [`PairExecutor::renewing`], both workers are replaced now and then by workers of other copies of the
/// same programs: where the pages of a copy happen to lie, and where its process happens to be mapped, shows
/// in every record that it makes, and only many draws of both make it noise.
pub struct PairExecutor {
    this: ProcessExecutor,
    other: ProcessExecutor,
    renew: Option<Arc<dyn Renew>>,
    number: usize,
    begun: Option<Instant>,
    renewed: Option<Instant>,
}

/// Gives both programs of a comparison anew.
pub trait Renew: Send + Sync {
    /// Copies of this program and of the other one for the pair of workers `number`; those that it was given
    /// before are not needed any more.
    ///
    /// # Errors
    ///
    /// Why there are none, and the way out.
    fn renew(&self, number: usize) -> Result<[WorkerCommand; 2], String>;
}

/// A pair of workers is replaced after this time, or after a part of the time that it has been at work,
/// whichever is longer: so the price stays a small part of long runs, and short ones have several draws.
const RENEWED_AFTER: Duration = Duration::from_millis(400);
const RENEWED_PART: u32 = 25;

impl PairExecutor {
    /// `this` for [`Build::This`], `other` for [`Build::Other`]; both should be bound to one core.
    pub const fn new(this: ProcessExecutor, other: ProcessExecutor) -> Self {
        Self { this, other, renew: None, number: 0, begun: None, renewed: None }
    }

    /// The same, as the pair `number`, whose programs come from `renew` and are replaced now and then.
    #[must_use]
    pub fn renewing(self, renew: Arc<dyn Renew>, number: usize) -> Self {
        Self { renew: Some(renew), number, ..self }
    }

    /// Replaces both workers where it is time.
    fn keep_fresh(&mut self) -> Result<(), String> {
        let Some(renew) = &self.renew else { return Ok(()) };
        let begun = *self.begun.get_or_insert_with(Instant::now);
        let patience = RENEWED_AFTER.max(begun.elapsed() / RENEWED_PART);
        if self.renewed.is_some_and(|renewed| renewed.elapsed() < patience) {
            return Ok(());
        }
        let [this, other] = renew.renew(self.number)?;
        self.this.replace(this);
        self.other.replace(other);
        // Making copies is no time of theirs.
        self.renewed = Some(Instant::now());
        Ok(())
    }
}

impl Executor for PairExecutor {
    fn core(&self) -> Option<u32> {
        // Neither is bound where binding does not work.
        self.this.core().or(self.other.core())
    }

    fn execute(&mut self, job: &Job, stopped: &(dyn Fn() -> bool + Sync)) -> Execution {
        if let Err(why) = self.keep_fresh() {
            return Execution::Broken(why);
        }
        match job.build {
            Build::This => self.this.execute(job, stopped),
            Build::Other => self.other.execute(job, stopped),
        }
    }
}

/// Makes records in a worker process.
pub struct ProcessExecutor {
    command: WorkerCommand,
    wanted_core: Option<u32>,
    grace: Duration,
    worker: Option<Worker>,
    next_id: u64,
    /// Holds the cores of its pool.
    _cores: Option<Cores>,
}

impl ProcessExecutor {
    /// On this core, or on any. The worker is started with the first job.
    pub const fn new(command: WorkerCommand, core: Option<u32>) -> Self {
        Self { command, wanted_core: core, grace: GRACE, worker: None, next_id: 0, _cores: None }
    }

    /// Takes a worker for stuck when it is so much later than the limits of its record, instead of ten
    /// seconds.
    #[must_use]
    pub fn with_grace(self, grace: Duration) -> Self {
        Self { grace, ..self }
    }

    /// Ends the worker, if there is one; the next one is started by `command`.
    fn replace(&mut self, command: WorkerCommand) {
        self.worker = None;
        self.command = command;
    }

    /// Starts the worker if there is none, and gives its process id.
    pub fn start(&mut self) -> Result<u32, String> {
        self.ready(&|| false).map_err(|why| why.unwrap_or_default()).map(|worker| worker.id())
    }

    /// The worker, started if need be; `Err(None)` when stopped meanwhile.
    fn ready(&mut self, stopped: &(dyn Fn() -> bool + Sync)) -> Result<&mut Worker, Option<String>> {
        // One that is not taken over is ended here.
        let worker = match self.worker.take().filter(|worker| !worker.is_worn()) {
            Some(worker) => worker,
            None => Worker::start(&self.command, self.wanted_core, stopped)?,
        };
        Ok(self.worker.insert(worker))
    }
}

impl Executor for ProcessExecutor {
    /// `None` where binding was not wanted, or does not work.
    fn core(&self) -> Option<u32> {
        self.worker.as_ref().map_or(self.wanted_core, Worker::core)
    }

    fn execute(&mut self, job: &Job, stopped: &(dyn Fn() -> bool + Sync)) -> Execution {
        let id = self.next_id;
        self.next_id += 1;
        let request = Request {
            id,
            strategy: job.strategy.to_string(),
            question: Arc::clone(&job.question),
            limits: job.limits,
            sampling: job.sampling,
        };
        let Ok(mut line) = serde_json::to_vec(&request) else {
            return Execution::Broken(format!("the request for {} cannot be written", job.key));
        };
        line.push(b'\n');
        let runs = if job.sampling.is_some() { 2 } else { 1 };
        let patience = job.limits.wall.saturating_mul(runs).saturating_add(self.grace);
        // A worker that died while it was idle has cost no record: another one gets the job.
        for _ in 0..2 {
            let worker = match self.ready(stopped) {
                Ok(worker) => worker,
                Err(None) => return Execution::Stopped,
                Err(Some(why)) => return Execution::Broken(why),
            };
            let deadline = Instant::now().checked_add(patience);
            let failure = match worker.send(&line, deadline, stopped) {
                Ok(()) => match worker.receive(deadline, stopped) {
                    Ok(line) => match serde_json::from_slice::<Reply>(&line) {
                        Ok(reply) if reply.id == id => return Execution::Done(reply),
                        Ok(reply) => Failure::Protocol(format!("reply {} to request {id}", reply.id)),
                        Err(error) => Failure::Protocol(format!("not a reply: {error}")),
                    },
                    Err(failure) => failure,
                },
                Err(Failure::Closed) => {
                    self.worker = None;
                    continue;
                }
                Err(failure) => failure,
            };
            let ended = self.worker.take().and_then(Worker::end);
            return match failure {
                Failure::Stopped => Execution::Stopped,
                Failure::Closed if is_stopped_soon(stopped) => Execution::Stopped,
                failure => Execution::Done(lost(id, &failure, ended)),
            };
        }
        Execution::Broken("a worker ends as soon as it is started; try `harness doctor`".into())
    }
}

/// Whether the run is stopped at once or soon. Who ends a whole tree of processes, as batch systems do, may
/// reach a worker before the harness: what it was at is then no record.
fn is_stopped_soon(stopped: &(dyn Fn() -> bool + Sync)) -> bool {
    let deadline = Instant::now() + SOON;
    loop {
        if stopped() {
            return true;
        }
        if Instant::now() >= deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The reply that a worker which is gone would have owed.
fn lost(id: u64, failure: &Failure, ended: Option<ExitStatus>) -> Reply {
    let (termination, note) = match (failure, ended.and_then(|status| status.signal())) {
        (Failure::Closed, Some(signal)) => {
            (Termination::Signal(signal), format!("signal {signal} ended the worker process itself"))
        }
        (failure, _) => {
            let what = match failure {
                Failure::Closed => match ended.and_then(|status| status.code()) {
                    Some(code) => format!("the worker process ended with exit code {code} before it replied"),
                    None => "the worker process ended before it replied".into(),
                },
                Failure::Late => "the worker process did not enforce its limits and was killed".into(),
                Failure::Protocol(what) => format!("the worker process broke the protocol: {what}"),
                Failure::Stopped => "stopped".into(),
                Failure::Io(error) => format!("the worker process cannot be reached: {error}"),
            };
            (Termination::Error(what), String::new())
        }
    };
    Reply {
        id,
        termination,
        answers: Vec::new(),
        usage: None,
        method: String::new(),
        phases: Default::default(),
        counters: Default::default(),
        stderr: note,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine;

    #[test]
    fn a_program_that_is_no_worker_is_told_apart() {
        let mut echo = ProcessExecutor::new(WorkerCommand::new("echo", ["hello"]), None);
        assert!(echo.start().unwrap_err().contains("does not greet like a worker"));
        let mut quick = ProcessExecutor::new(WorkerCommand::new("false", [""; 0]), None);
        assert!(quick.start().unwrap_err().contains("ended before it greeted (exit status: 1)"));
        let mut none = ProcessExecutor::new(WorkerCommand::new("/nowhere/worker", [""; 0]), None);
        assert!(none.start().unwrap_err().contains("cannot be started"));
    }

    #[test]
    fn another_protocol_is_refused() {
        let script = r#"echo '{"protocol":99,"harness":"9.9.9"}'; cat"#;
        let mut newer = ProcessExecutor::new(WorkerCommand::new("sh", ["-c", script]), None);
        let error = newer.start().unwrap_err();
        assert!(error.contains("(version 9.9.9) speaks protocol 99"), "{error}");
    }

    #[test]
    fn one_worker_a_core() {
        let cores = machine::cores();
        let pool =
            Pool { command: WorkerCommand::this_program(), cores: Cores::take(cores.len(), None).unwrap() };
        let on: Vec<_> = pool.executors().iter().map(Executor::core).collect();
        assert_eq!(on, cores.into_iter().map(Some).collect::<Vec<_>>());
    }
}
