//! A worker process, as the harness sees it: started, spoken to, and ended.
//!
//! A worker ends when its input does, so it cannot outlive the harness, however that ends. It is in a process
//! group of its own, so that a Ctrl-C in the terminal reaches the harness alone, which then decides. What a
//! dead worker may have left behind is found by a mark in its environment, which every descendant inherits. A
//! signal at the parent's death is not used: it would come at the end of the thread that started the worker.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use backends_api::protocol::{Hello, VERSION};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use rustix::thread::{CpuSet, sched_setaffinity};

use crate::lines::{Lines, Read};
use crate::proc;
use crate::process::WorkerCommand;

/// How long a worker may take to greet. Generous: the machine may be busy, and the first start reads from the
/// disk.
const GREETING: Duration = Duration::from_secs(30);

/// How often the stop flag is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// How long a worker may take to end when told to; it has a tree to kill.
const FAREWELL: Duration = Duration::from_secs(2);

/// The private memory of a worker may grow by so much over what it was when it greeted.
const GROWTH: u64 = 1 << 20;

/// A line of the protocol, in either direction, that leaves traces in a worker which memory does not show:
/// the C library learns from what is freed, and its children would then use memory in another way.
const LARGE: usize = 128 << 10;

/// The variable that marks a worker and its descendants.
const MARK: &str = "HARNESS_WORKER_MARK";

/// Why a worker gave no reply.
#[derive(Debug)]
pub enum Failure {
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
pub struct Worker {
    process: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    lines: Lines,
    core: Option<u32>,
    mark: String,
    gone: bool,
    /// Private memory when it greeted.
    memory: Option<u64>,
    /// Whether it had to do with a large line.
    strained: bool,
}

/// How long a program may be busy before it is given up.
const BUSY: Duration = Duration::from_secs(2);

/// Starts a program that may have been written just now. A process that another thread forks meanwhile has the
/// file open for writing until it runs its own program, and for so long the kernel calls the file busy.
fn spawn(command: &mut Command) -> io::Result<Child> {
    let begun = Instant::now();
    loop {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && begun.elapsed() < BUSY => {
                std::thread::sleep(Duration::from_millis(2));
            }
            started => return started,
        }
    }
}

impl Worker {
    /// Its process id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// The core that it is bound to, where it is.
    pub const fn core(&self) -> Option<u32> {
        self.core
    }

    /// Starts one and waits for its greeting; `Err(None)` when stopped meanwhile.
    pub fn start(
        command: &WorkerCommand,
        core: Option<u32>,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, Option<String>> {
        let program = command.program().display();
        let mark = mark();
        let mut command = command.command();
        command.env(MARK, &mark).process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = spawn(&mut command)
            .map_err(|error| Some(format!("the worker {program} cannot be started: {error}")))?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(Some(format!("the worker {program} has no pipes")));
        };
        // Before it greets, so that it has forked nothing yet: its children inherit the core.
        let core = core.filter(|&core| pin(&process, core).is_ok());
        let mut worker = Self {
            process,
            input: Some(input),
            output,
            lines: Lines::default(),
            core,
            mark,
            gone: false,
            memory: None,
            strained: false,
        };
        let unblocked = worker.input.as_ref().map(|input| fcntl_setfl(input, OFlags::NONBLOCK));
        if let Some(Err(error)) = unblocked {
            return Err(Some(format!("the worker {program} cannot be written to: {error}")));
        }
        match worker.receive(Instant::now().checked_add(GREETING), stopped) {
            Ok(line) => match serde_json::from_slice::<Hello>(&line) {
                Ok(Hello { protocol: VERSION, .. }) => {
                    worker.memory = proc::own_memory(Pid::from_child(&worker.process));
                    Ok(worker)
                }
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

    /// Whether the next record would start from other memory than the first one did; to be asked while it is
    /// idle.
    pub fn is_worn(&self) -> bool {
        let now = || proc::own_memory(Pid::from_child(&self.process));
        self.strained
            || self.memory.is_some_and(|first| now().is_some_and(|now| now > first.saturating_add(GROWTH)))
    }

    /// Writes a line, waiting until the worker takes it.
    pub fn send(
        &mut self,
        mut line: &[u8],
        deadline: Option<Instant>,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), Failure> {
        self.strained |= line.len() > LARGE;
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
    pub fn receive(
        &mut self,
        deadline: Option<Instant>,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<u8>, Failure> {
        loop {
            if let Some(line) = self.lines.next_line() {
                self.strained |= line.len() > LARGE;
                return Ok(line);
            }
            wait(&mut [PollFd::new(&self.output, PollFlags::IN)], deadline, stopped)?;
            if self.lines.fill(&self.output)? == Read::End {
                return Err(Failure::Closed);
            }
        }
    }

    /// Ends it, its record in flight and all that descends from it; how it ended.
    pub fn end(mut self) -> Option<ExitStatus> {
        self.finish()
    }

    fn finish(&mut self) -> Option<ExitStatus> {
        if self.gone {
            return None;
        }
        self.gone = true;
        let pid = Pid::from_child(&self.process);
        self.input = None;
        // It is our child and not waited for yet, so the number is still its own. A worker that is told to
        // end kills its tree first; only one that does not is killed with its tree from here.
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

    /// Kills what a worker that did not end well has left behind. New processes may come while they are
    /// looked for.
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
    // Always as long: the size of the environment shifts the stack, which shows in times.
    format!("{:010}-{:010}-{now:020}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "helpers of tests")]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_still_open_for_writing_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let program = dir.path().join("program");
        std::fs::copy("/bin/true", &program).unwrap();
        let writer = std::fs::OpenOptions::new().append(true).open(&program).unwrap();
        let busy = Command::new(&program).spawn().unwrap_err();
        assert_eq!(busy.kind(), io::ErrorKind::ExecutableFileBusy);
        let closes = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            drop(writer);
        });
        assert!(spawn(&mut Command::new(&program)).unwrap().wait().unwrap().success());
        closes.join().unwrap();
    }
}
