//! Records made in worker processes, seen from the harness.
//!
//! Each [`ProcessExecutor`] owns one worker, bound to one core, and starts another when that one is gone. The worker
//! enforces the limits; the executor watches the worker: one that does not answer in good time, breaks the protocol or
//! dies is ended with all that descends from it, the record in flight says so, and the run goes on.
//!
//! A worker ends when its input does, so it cannot outlive the harness, however that ends. It is in a process group of
//! its own, so that a Ctrl-C in the terminal reaches the harness alone, which then decides. What a dead worker may have
//! left behind is found by a mark in its environment, which every descendant inherits.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use backends_api::protocol::{Hello, Reply, Request, VERSION};
use harness_model::record::Termination;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use rustix::thread::{CpuSet, sched_setaffinity};

use crate::executor::{Execution, Executor};
use crate::lines::{Lines, Read};
use crate::machine;
use crate::plan::Job;
use crate::proc;
use crate::scheduler::RunError;

/// How long a worker may take to greet. Generous: the machine may be busy, and the first start reads from the disk.
const GREETING: Duration = Duration::from_secs(30);

/// How much longer than the limits of its record a worker may take before it counts as stuck.
const GRACE: Duration = Duration::from_secs(10);

/// How often the stop flag is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// How long a worker may take to end when told to; it has a tree to kill.
const FAREWELL: Duration = Duration::from_secs(2);

/// The variable that marks a worker and its descendants.
const MARK: &str = "HARNESS_WORKER_MARK";

/// How a worker is started.
#[derive(Clone, Debug)]
pub struct WorkerCommand {
    program: PathBuf,
    arguments: Vec<OsString>,
}

impl WorkerCommand {
    /// This very program with the argument `worker`; also when its file has been replaced since.
    pub fn this_program() -> Self {
        Self::new("/proc/self/exe", ["worker"])
    }

    /// Another program that calls [`crate::worker::serve`].
    pub fn new<A: Into<OsString>>(
        program: impl Into<PathBuf>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        Self { program: program.into(), arguments: arguments.into_iter().map(Into::into).collect() }
    }
}

/// Workers, at most one a core.
#[derive(Clone, Debug)]
pub struct Pool {
    /// How each is started.
    pub command: WorkerCommand,
    /// How many.
    pub workers: usize,
    /// Whether each is bound to a core of its own.
    pub pin: bool,
}

impl Pool {
    /// As many executors as there are to be workers, on the first usable cores. Starts no process yet.
    pub fn executors(&self) -> Result<Vec<ProcessExecutor>, RunError> {
        let cores = machine::cores();
        if self.workers == 0 {
            return Err(RunError::NoWorkers);
        }
        if self.workers > cores.len() {
            return Err(RunError::TooManyWorkers { asked: self.workers, cores: cores.len() });
        }
        let cores = cores.into_iter().take(self.workers);
        Ok(cores.map(|core| ProcessExecutor::new(self.command.clone(), self.pin.then_some(core))).collect())
    }
}

/// Makes records in a worker process.
pub struct ProcessExecutor {
    command: WorkerCommand,
    wanted_core: Option<u32>,
    grace: Duration,
    worker: Option<Worker>,
    next_id: u64,
}

impl ProcessExecutor {
    /// On this core, or on any. The worker is started with the first job.
    pub const fn new(command: WorkerCommand, core: Option<u32>) -> Self {
        Self { command, wanted_core: core, grace: GRACE, worker: None, next_id: 0 }
    }

    /// Takes a worker for stuck when it is so much later than the limits of its record, instead of ten seconds.
    #[must_use]
    pub fn with_grace(self, grace: Duration) -> Self {
        Self { grace, ..self }
    }

    /// Starts the worker if there is none, and gives its process id.
    pub fn start(&mut self) -> Result<u32, String> {
        self.ready(&|| false).map_err(|why| why.unwrap_or_default()).map(|worker| worker.process.id())
    }

    /// The worker, started if need be; `Err(None)` when stopped meanwhile.
    fn ready(&mut self, stopped: &(dyn Fn() -> bool + Sync)) -> Result<&mut Worker, Option<String>> {
        let worker = match self.worker.take() {
            Some(worker) => worker,
            None => Worker::start(&self.command, self.wanted_core, stopped)?,
        };
        Ok(self.worker.insert(worker))
    }
}

impl Executor for ProcessExecutor {
    /// `None` where binding was not wanted, or does not work.
    fn core(&self) -> Option<u32> {
        self.worker.as_ref().map_or(self.wanted_core, |worker| worker.core)
    }

    fn execute(&mut self, job: &Job, stopped: &(dyn Fn() -> bool + Sync)) -> Execution {
        let id = self.next_id;
        self.next_id += 1;
        let request = Request {
            id,
            strategy: job.key.strategy.clone(),
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
                failure => Execution::Done(lost(id, &failure, ended)),
            };
        }
        Execution::Broken("a worker ends as soon as it is started; try `harness doctor`".into())
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

/// Why a worker gave no reply.
#[derive(Debug)]
enum Failure {
    /// It has closed its end: it is gone.
    Closed,
    /// It took too long.
    Late,
    /// It said something else.
    Protocol(String),
    /// The run is being stopped.
    Stopped,
    /// The system refused.
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Closed } else { Self::Io(error) }
    }
}

/// A worker process.
struct Worker {
    process: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    lines: Lines,
    core: Option<u32>,
    mark: String,
    gone: bool,
}

impl Worker {
    /// Starts one and waits for its greeting; `Err(None)` when stopped meanwhile.
    fn start(
        command: &WorkerCommand,
        core: Option<u32>,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, Option<String>> {
        let program = command.program.display();
        let mark = mark();
        let mut process = Command::new(&command.program)
            .args(&command.arguments)
            .env(MARK, &mark)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| Some(format!("the worker {program} cannot be started: {error}")))?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(Some(format!("the worker {program} has no pipes")));
        };
        // Before it greets, so that it has forked nothing yet: its children inherit the core.
        let core = core.filter(|&core| pin(&process, core).is_ok());
        let mut worker =
            Self { process, input: Some(input), output, lines: Lines::default(), core, mark, gone: false };
        let unblocked = worker.input.as_ref().map(|input| fcntl_setfl(input, OFlags::NONBLOCK));
        if let Some(Err(error)) = unblocked {
            return Err(Some(format!("the worker {program} cannot be written to: {error}")));
        }
        match worker.receive(Instant::now().checked_add(GREETING), stopped) {
            Ok(line) => match serde_json::from_slice::<Hello>(&line) {
                Ok(Hello { protocol: VERSION, .. }) => Ok(worker),
                Ok(hello) => Err(Some(format!(
                    "the worker {program} (version {}) speaks protocol {}, this program {VERSION}: use one build of both",
                    hello.harness, hello.protocol
                ))),
                Err(_) => Err(Some(format!("{program} does not greet like a worker"))),
            },
            Err(Failure::Stopped) => Err(None),
            Err(Failure::Late) => {
                Err(Some(format!("the worker {program} did not greet within {} s", GREETING.as_secs())))
            }
            Err(_) => {
                let status =
                    worker.end().map_or_else(|| "unknown status".to_owned(), |status| status.to_string());
                Err(Some(format!("the worker {program} ended before it greeted ({status})")))
            }
        }
    }

    /// Writes a line, waiting until the worker takes it.
    fn send(
        &mut self,
        mut line: &[u8],
        deadline: Option<Instant>,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), Failure> {
        while !line.is_empty() {
            let Some(input) = &self.input else { return Err(Failure::Closed) };
            match rustix::io::write(input, line) {
                Ok(count) => line = &line[count..],
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => {
                    wait(&mut [PollFd::new(input, PollFlags::OUT)], deadline, stopped)?;
                }
                Err(error) => return Err(io::Error::from(error).into()),
            }
        }
        Ok(())
    }

    /// Waits for a line.
    fn receive(
        &mut self,
        deadline: Option<Instant>,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<u8>, Failure> {
        loop {
            if let Some(line) = self.lines.next_line() {
                return Ok(line);
            }
            wait(&mut [PollFd::new(&self.output, PollFlags::IN)], deadline, stopped)?;
            if self.lines.fill(&self.output)? == Read::End {
                return Err(Failure::Closed);
            }
        }
    }

    /// Ends it, its record in flight and all that descends from it; how it ended.
    fn end(mut self) -> Option<ExitStatus> {
        self.finish()
    }

    fn finish(&mut self) -> Option<ExitStatus> {
        if self.gone {
            return None;
        }
        self.gone = true;
        let pid = Pid::from_child(&self.process);
        self.input = None;
        // It is our child and not waited for yet, so the number is still its own. A worker that is told to end kills
        // its tree first; only one that does not is killed with its tree from here.
        let _ = kill_process(pid, Signal::TERM);
        let mut status = self.wait(FAREWELL);
        if status.is_none() {
            for descendant in proc::descendants(pid) {
                let _ = kill_process(descendant, Signal::KILL);
            }
            let _ = kill_process_group(pid, Signal::KILL);
            status = self.process.wait().ok();
        }
        if !status.is_some_and(|status| status.success()) {
            self.sweep();
        }
        status
    }

    /// Waits so long for its end.
    fn wait(&mut self, time: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + time;
        let mut nap = Duration::from_micros(100);
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(nap),
                _ => return None,
            }
            nap = (nap * 2).min(Duration::from_millis(5));
        }
    }

    /// Kills what a worker that did not end well has left behind. New processes may come while they are looked for.
    fn sweep(&self) {
        for _ in 0..20 {
            let left = proc::marked(MARK, &self.mark);
            if left.is_empty() {
                return;
            }
            for pid in left {
                let _ = kill_process(pid, Signal::KILL);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Waits until a descriptor is ready, looking at the stop flag meanwhile.
fn wait(
    fds: &mut [PollFd<'_>],
    deadline: Option<Instant>,
    stopped: &(dyn Fn() -> bool + Sync),
) -> Result<(), Failure> {
    loop {
        if stopped() {
            return Err(Failure::Stopped);
        }
        let now = Instant::now();
        if deadline.is_some_and(|deadline| now >= deadline) {
            return Err(Failure::Late);
        }
        let time = deadline.map_or(LOOK, |deadline| (deadline - now).min(LOOK));
        let time = Timespec::try_from(time).unwrap_or(Timespec { tv_sec: 0, tv_nsec: 1_000_000 });
        match poll(fds, Some(&time)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return Ok(()),
            Err(error) => return Err(Failure::Io(error.into())),
        }
    }
}

fn pin(process: &Child, core: u32) -> io::Result<()> {
    let mut only = CpuSet::new();
    let core = usize::try_from(core).unwrap_or(usize::MAX);
    if core >= CpuSet::MAX_CPU {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    only.set(core);
    Ok(sched_setaffinity(Some(Pid::from_child(process)), &only)?)
}

/// Different for every worker that was ever started on a machine, for all that matters.
fn mark() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("{}-{}-{now}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let pool = |workers| Pool { command: WorkerCommand::this_program(), workers, pin: true };
        let cores = machine::cores().len();
        assert!(matches!(pool(cores + 1).executors(), Err(RunError::TooManyWorkers { .. })));
        assert!(matches!(pool(0).executors(), Err(RunError::NoWorkers)));
        let on: Vec<_> = pool(cores).executors().unwrap().iter().map(Executor::core).collect();
        assert_eq!(on, machine::cores().into_iter().map(Some).collect::<Vec<_>>());
    }
}
