//! What makes one record.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use backends_api::protocol::Reply;
use harness_model::record::{Record, RecordVersion};

use crate::plan::Job;

/// What became of a job that an executor was given.
#[derive(Clone, Debug, PartialEq)]
pub enum Execution {
    /// It ran; how it went is in the reply. A crash or an overrun is a reply like any other.
    Done(Reply),
    /// The run was stopped while it was in flight; nothing is known of it.
    Stopped,
    /// Nothing can be run any more: a worker cannot be started. Why, and the way out.
    Broken(String),
}

/// Makes records, one at a time. A scheduler has one executor a worker, each on a thread of its own.
pub trait Executor: Send {
    /// The core that it runs on, where it is bound to one.
    fn core(&self) -> Option<u32>;

    /// Does one job. Looks at `stopped` at least ten times a second and gives up, leaving no process, when it
    /// says so.
    fn execute(&mut self, job: &Job, stopped: &(dyn Fn() -> bool + Sync)) -> Execution;
}

/// The record of a job that ran.
pub fn record(job: &Job, reply: Reply, core: Option<u32>, started: SystemTime) -> Record {
    Record {
        version: RecordVersion::CURRENT,
        key: job.key.clone(),
        family: job.family.as_str().into(),
        alphabet: job.question.alphabet,
        termination: reply.termination,
        answers: reply.answers,
        usage: reply.usage,
        method: reply.method.into(),
        phases: reply.phases.into(),
        counters: reply.counters.into(),
        stderr: reply.stderr,
        started_unix_s: started.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs_f64(),
        core,
    }
}
