//! The program `git`, as far as fetching needs it: started in a folder, never asking anybody, never running
//! what a repository brings.

use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// What makes every call the same, whatever the user's own configuration says: no hooks, no links, no
/// conversion of line ends, nothing that goes on behind it, no endless wait for an address that says nothing.
const SETTINGS: [&str; 10] = [
    "core.hooksPath=/dev/null",
    "core.symlinks=false",
    "core.autocrlf=false",
    "core.sparseCheckout=true",
    "core.sparseCheckoutCone=false",
    "advice.detachedHead=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=60",
];

/// Variables that would lead it to another repository.
const LEADING: [&str; 7] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
];

/// How many of the last lines that it printed are told.
const MOST_LINES: usize = 4;

/// `git` in a folder.
#[derive(Clone, Debug)]
pub struct Git {
    folder: PathBuf,
}

/// Why a call failed.
#[derive(Debug)]
pub enum GitError {
    /// There is no such program, or it cannot be started.
    Program(io::Error),
    /// It ended with another status than 0, and its last words were these.
    Failed(String),
}

impl fmt::Display for GitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(error) if error.kind() == io::ErrorKind::NotFound => {
                f.write_str("the program 'git' is needed and not there: install it, or put it into PATH")
            }
            Self::Program(error) => write!(f, "the program 'git' cannot be used: {error}"),
            Self::Failed(said) => f.write_str(said),
        }
    }
}

impl Git {
    /// In a folder that is there.
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Runs it; gives what it printed.
    ///
    /// # Errors
    ///
    /// When it is not there or fails.
    pub fn run(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        self.run_with(arguments, Vec::new())
    }

    /// Runs it with `input`; gives what it printed.
    ///
    /// # Errors
    ///
    /// When it is not there or fails.
    pub fn run_with(&self, arguments: &[&str], input: Vec<u8>) -> Result<Vec<u8>, GitError> {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.folder);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        for variable in LEADING {
            command.env_remove(variable);
        }
        command
            .args(arguments)
            .env("LC_ALL", "C")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_ASKPASS", "false");
        // Of ssh a recipe knows nothing, but the user's configuration may put it in the place of https.
        command.env("GIT_ALLOW_PROTOCOL", "https:ssh:file").env("GIT_LFS_SKIP_SMUDGE", "1");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(GitError::Program)?;
        // Written beside the reading, since it may print before it has read everything. One that ends without
        // reading it all says why by itself.
        let stdin = child.stdin.take();
        let writer = thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
        let output = child.wait_with_output().map_err(GitError::Program)?;
        // A panic there is none: it only writes.
        drop(writer.join());
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = last_lines(&String::from_utf8_lossy(&output.stderr));
        Err(GitError::Failed(if said.is_empty() {
            format!("git ended with {}", output.status)
        } else {
            said
        }))
    }

    /// Runs it; gives the one line that it printed.
    ///
    /// # Errors
    ///
    /// When it is not there or fails.
    pub fn line(&self, arguments: &[&str]) -> Result<String, GitError> {
        Ok(String::from_utf8_lossy(&self.run(arguments)?).trim().to_owned())
    }
}

/// The last lines that are not empty, on one line.
fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(MOST_LINES)..].join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_words_are_one_line() {
        assert_eq!(last_lines("a\nb\n\n c\nd\ne\n"), "b; c; d; e");
        assert_eq!(last_lines(""), "");
    }
}
