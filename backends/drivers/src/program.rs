//! A program that waits for commands: started, told, listened to, ended when this is dropped.

use std::io::{BufRead as _, BufReader, BufWriter, Write};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use backends_api::{BackendError, Ending};

/// Longer lines are not read: no answer is so long.
const LONGEST: u64 = 64 << 20;

/// A program that runs.
pub struct Program {
    child: Child,
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Program {
    /// Starts `path`.
    ///
    /// # Errors
    ///
    /// When the system refuses it.
    pub fn start(path: &Path, arguments: &[String]) -> Result<Self, BackendError> {
        let mut command = Command::new(path);
        backends_api::libraries::of_user(&mut command);
        let refused = |what: &str| BackendError::Program(format!("{}: {what}", path.display()));
        let mut child = command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| refused(&format!("it cannot be started: {error}")))?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => {
                Ok(Self { child, input: BufWriter::new(input), output: BufReader::new(output) })
            }
            _ => Err(refused("it has no standard input and output")),
        }
    }

    /// What it is told; nothing is sent before [`Program::hear`].
    pub fn tell(&mut self, line: std::fmt::Arguments<'_>) -> Result<(), BackendError> {
        let told = self.input.write_fmt(line).and_then(|()| self.input.write_all(b"\n"));
        told.map_err(|_| self.ended())
    }

    /// The next line that it prints, after what it was told is sent.
    ///
    /// # Errors
    ///
    /// When it ends, or prints that something went wrong.
    pub fn hear(&mut self) -> Result<String, BackendError> {
        let mut line = String::new();
        let read = self
            .input
            .flush()
            .and_then(|()| std::io::Read::take(&mut self.output, LONGEST).read_line(&mut line));
        if !matches!(read, Ok(1..)) || !line.ends_with('\n') {
            return Err(self.ended());
        }
        line.truncate(line.trim_end().len());
        match line.strip_prefix("error ") {
            Some(why) => Err(BackendError::Program(why.to_owned())),
            None => Ok(line),
        }
    }

    /// How it ended; it has closed its output.
    fn ended(&mut self) -> BackendError {
        // Closing comes just before the end. One that goes on without an output is ended.
        for _ in 0..100 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return BackendError::Ended(match (status.code(), status.signal()) {
                    (Some(code), _) => Ending::Exit(code),
                    (None, signal) => Ending::Signal(signal.unwrap_or(0)),
                });
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        BackendError::Program("it closed its output and went on".to_owned())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
