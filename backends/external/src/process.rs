//! One run of a program: started, listened to, and ended with all of its group.
//!
//! It is the leader of a process group of its own. When it has ended, however that was, what is left of the
//! group is killed, so that a descendant that hangs delays nothing and uses nothing. What has left the group
//! is for the runner, to whom orphans fall. A descendant that holds the output open is not waited for.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use backends_api::Ending;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

/// More than this is not read: no answer is so long.
pub const MOST_OUTPUT: usize = 64 << 20;

/// So much is read at a time.
const CHUNK: usize = 64 << 10;

/// What becomes of what a program writes to standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors {
    /// It goes where that of this process goes.
    Apart,
    /// It is read as if it were standard output.
    Read,
}

/// A run that came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// What it printed.
    pub output: Vec<u8>,
    /// How it ended.
    pub ending: Ending,
}

/// Why there is no end.
#[derive(Debug)]
pub enum RunError {
    /// It could not be started.
    Start(io::Error),
    /// It was not ended by the deadline.
    Late,
    /// It printed more than [`MOST_OUTPUT`].
    TooMuch,
    /// The system refused something else.
    System(io::Error),
}

/// A program that runs. It and its group are killed, and it is waited for, when this is dropped.
struct Running {
    child: Child,
    /// Whether it was waited for, so that its number may be another's.
    waited: bool,
}

impl Running {
    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Ends its whole group; how it ended itself.
    fn end(&mut self) -> io::Result<ExitStatus> {
        // It is not waited for yet, so that the number is its own still, also if it has ended.
        let _ = kill_process_group(self.pid(), Signal::KILL);
        let status = self.child.wait();
        self.waited = true;
        status
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.waited {
            let _ = self.end();
        }
    }
}

/// Runs `program` to its end. `input` is its standard input; without it there is none. `heard` is given all
/// that it has printed whenever that has grown.
///
/// # Errors
///
/// When it does not come to its end; then it is gone all the same.
pub fn run(
    program: &Path,
    arguments: &[String],
    input: Option<File>,
    errors: Errors,
    deadline: Option<Instant>,
    heard: &mut dyn FnMut(&[u8]),
) -> Result<Ran, RunError> {
    let (reader, writer) = pipe_with(PipeFlags::CLOEXEC).map_err(system)?;
    fcntl_setfl(&reader, OFlags::NONBLOCK).map_err(system)?;
    let stderr = match errors {
        Errors::Apart => Stdio::inherit(),
        Errors::Read => writer.try_clone().map_err(RunError::System)?.into(),
    };
    let mut command = Command::new(program);
    backends_api::libraries::of_user(&mut command);
    let child = command
        .args(arguments)
        .stdin(input.map_or_else(Stdio::null, Stdio::from))
        .stdout(writer)
        .stderr(stderr)
        .process_group(0)
        .spawn()
        .map_err(RunError::Start)?;
    let mut running = Running { child, waited: false };
    let ended = pidfd_open(running.pid(), PidfdFlags::empty()).map_err(system)?;
    let mut output = Output { reader: Some(reader), bytes: Vec::new() };
    loop {
        let grown = output.read()?;
        if grown {
            heard(&output.bytes);
        }
        if wait(&output, &ended, deadline)? {
            break;
        }
    }
    // What is in the pipe now is all that the program itself has printed.
    if output.read()? {
        heard(&output.bytes);
    }
    let status = running.end().map_err(RunError::System)?;
    let ending = match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exit(code),
        (None, signal) => Ending::Signal(signal.unwrap_or(0)),
    };
    Ok(Ran { output: output.bytes, ending })
}

fn system(error: Errno) -> RunError {
    RunError::System(error.into())
}

/// Waits until there is something to read or the program has ended, which it tells.
fn wait(output: &Output, ended: &OwnedFd, deadline: Option<Instant>) -> Result<bool, RunError> {
    let timeout = match deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())) {
        Some(Duration::ZERO) => return Err(RunError::Late),
        Some(time) => Timespec::try_from(time).ok(),
        None => None,
    };
    let mut fds = vec![PollFd::new(ended, PollFlags::IN)];
    fds.extend(output.reader.as_ref().map(|reader| PollFd::new(reader, PollFlags::IN)));
    match poll(&mut fds, timeout.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(!fds[0].revents().is_empty()),
        Err(error) => Err(system(error)),
    }
}

/// What comes out of a program.
struct Output {
    /// `None` when nothing can come any more.
    reader: Option<OwnedFd>,
    bytes: Vec<u8>,
}

impl Output {
    /// Reads what there is; whether there was anything.
    fn read(&mut self) -> Result<bool, RunError> {
        let before = self.bytes.len();
        while let Some(reader) = &self.reader {
            let filled = self.bytes.len();
            self.bytes.resize(filled + CHUNK, 0);
            let read = rustix::io::read(reader, &mut self.bytes[filled..]);
            self.bytes.truncate(filled + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => self.reader = None,
                Ok(_) if self.bytes.len() > MOST_OUTPUT => return Err(RunError::TooMuch),
                Ok(_) | Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(error) => return Err(system(error)),
            }
        }
        Ok(self.bytes.len() > before)
    }
}
