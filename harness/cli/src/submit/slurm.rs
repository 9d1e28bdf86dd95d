//! What is asked of SLURM: `sbatch`, `squeue`, `sacct`, `scancel`, each a program that may be missing.
//!
//! Only texts that SLURM documents for scripts are read: `--parsable`, formats without headers.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

/// Why something could not be had of SLURM.
#[derive(Debug, thiserror::Error)]
pub enum SlurmError {
    /// The program is not on this machine.
    #[error("there is no program '{0}' in PATH")]
    Missing(&'static str),
    /// It said no.
    #[error("{program}: {said}")]
    Refused {
        /// Which.
        program: &'static str,
        /// What it printed.
        said: String,
    },
}

/// A job, or a task of a job array, and what SLURM says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Number of the job, or of the array.
    pub job: String,
    /// Number of the task in it.
    pub task: Option<u32>,
    /// Such as `PENDING`, `RUNNING`, `NODE_FAIL`.
    pub state: String,
    /// Why it waits, or its exit code.
    pub note: String,
}

/// Submits a script with these options in front of those that it has; gives the number of the job.
///
/// # Errors
///
/// When there is no `sbatch`, or it refuses.
pub fn submit(script: &Path, options: &[String]) -> Result<String, SlurmError> {
    let mut arguments: Vec<&OsStr> = vec!["--parsable".as_ref()];
    arguments.extend(options.iter().map(AsRef::<OsStr>::as_ref));
    arguments.push(script.as_ref());
    let said = ask("sbatch", &arguments)?;
    // NUMBER or NUMBER;CLUSTER, perhaps behind what a plug-in has to say.
    let number = said.lines().next_back().and_then(|line| line.split(';').next()).unwrap_or_default().trim();
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(SlurmError::Refused { program: "sbatch", said: format!("no number of a job: {said}") });
    }
    Ok(number.to_owned())
}

/// What is in the queue of these jobs: those that wait and run, and those that ended a moment ago. `None`
/// where that cannot be asked.
pub fn queue(jobs: &[&str]) -> Option<Vec<Known>> {
    if jobs.is_empty() {
        return Some(Vec::new());
    }
    let jobs = format!("--jobs={}", jobs.join(","));
    let arguments = ["--noheader", "--array", "--states=all", "--format=%i|%T|%r", &jobs];
    match ask("squeue", &arguments.map(OsStr::new)) {
        Ok(said) => Some(said.lines().filter_map(known).collect()),
        // What SLURM says of a single job that ended long ago.
        Err(SlurmError::Refused { said, .. }) if said.contains("Invalid job id") => Some(Vec::new()),
        Err(_) => None,
    }
}

/// What the accounts have of these jobs, also long after their end. Nothing where SLURM keeps none.
pub fn accounts(jobs: &[&str]) -> Vec<Known> {
    if jobs.is_empty() {
        return Vec::new();
    }
    let jobs = format!("--jobs={}", jobs.join(","));
    let arguments = ["--noheader", "--parsable2", "--allocations", "--format=JobID,State,ExitCode", &jobs];
    ask("sacct", &arguments.map(OsStr::new))
        .map_or_else(|_| Vec::new(), |said| said.lines().filter_map(known).collect())
}

/// Takes a job out of the queue that waits there; one that has begun goes on.
pub fn withdraw(job: &str) {
    let _ = ask("scancel", &["--state=PENDING", job].map(OsStr::new));
}

/// `12_3|RUNNING|None`, `13|PENDING|Dependency`; `None` of tasks that are told together, such as `12_[4-5]`.
fn known(line: &str) -> Option<Known> {
    let mut parts = line.trim().split('|');
    let (id, state, note) = (parts.next()?, parts.next()?, parts.next().unwrap_or_default());
    let (job, task) = match id.split_once('_') {
        Some((job, task)) => (job, Some(task.parse().ok()?)),
        None => (id, None),
    };
    // `CANCELLED by 1000`.
    let state = state.split_whitespace().next()?.to_owned();
    let is_number = !job.is_empty() && job.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| Known { job: job.to_owned(), task, state, note: note.to_owned() })
}

/// What a program prints.
fn ask(program: &'static str, arguments: &[&OsStr]) -> Result<String, SlurmError> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            let said = if said.is_empty() { output.status.to_string() } else { said };
            Err(SlurmError::Refused { program, said })
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Err(SlurmError::Missing(program)),
        Err(error) => Err(SlurmError::Refused { program, said: error.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_squeue_and_sacct() {
        let of = |job: &str, task, state: &str, note: &str| {
            Some(Known { job: job.into(), task, state: state.into(), note: note.into() })
        };
        assert_eq!(known("12_3|RUNNING|None"), of("12", Some(3), "RUNNING", "None"));
        assert_eq!(known(" 13|PENDING|Dependency "), of("13", None, "PENDING", "Dependency"));
        assert_eq!(known("12_4|CANCELLED by 0|0:15"), of("12", Some(4), "CANCELLED", "0:15"));
        for line in ["", "12", "12_[4-5]|PENDING|None", "12.batch|FAILED|1:0", "x|y|z", "12|"] {
            assert_eq!(known(line), None, "{line}");
        }
    }
}
