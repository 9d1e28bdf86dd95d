//! What the runner and a worker process say to each other: one JSON value a line, in both directions.
//!
//! The runner starts `harness worker`, which greets with [`Hello`]. For every [`Request`] line the worker
//! forks a child that does the work under the limits, and answers with one [`Reply`] line once the child and
//! all its descendants are gone. The format is printable, so that any run can be repeated by hand.

use std::collections::BTreeMap;
use std::sync::Arc;

use harness_model::limits::Sampling;
use harness_model::record::{PhaseTime, Termination, Usage};
use harness_model::{Answer, Limits, Question};
use serde::{Deserialize, Serialize};

/// Of the protocol; runner and worker must agree.
pub const VERSION: u32 = 1;

/// The worker's first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// [`VERSION`] of the worker.
    pub protocol: u32,
    /// Version of the worker program.
    pub harness: String,
}

/// One record to make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Echoed in the reply.
    pub id: u64,
    /// Name of the strategy.
    pub strategy: String,
    /// What to do.
    pub question: Arc<Question>,
    /// What it may use.
    pub limits: Limits,
    /// Whether to repeat it warm after the accounted run.
    pub sampling: Option<Sampling>,
}

/// What the child writes to its worker, one a line, while it still works: the answer to one of several
/// questions. A limit that strikes later does not take it away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Early {
    /// The question's place, from 0.
    pub place: usize,
    /// Its answer so far.
    pub answer: Answer,
}

/// What the child that did the work writes to its worker before it ends, as the last line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The answers, or why there are none.
    pub result: Result<Vec<Answer>, Failure>,
    /// Nanoseconds by phase; `prepare` and `solve` among them.
    pub phases: BTreeMap<String, u64>,
    /// Counters.
    pub counters: BTreeMap<String, u64>,
}

/// Why a strategy gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// It cannot do this; the operation's name.
    Unsupported(String),
    /// It failed.
    Error(String),
    /// A program that it started ended without an answer, with this exit code.
    Exit(i32),
    /// A program that it started was ended by this signal before it answered.
    Signal(i32),
}

/// The worker's answer to a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// Of the request.
    pub id: u64,
    /// Why the run stopped.
    pub termination: Termination,
    /// What it said; fewer answers than were asked for where it was stopped in the middle.
    pub answers: Vec<Answer>,
    /// What the kernel accounted to its process tree.
    pub usage: Option<Usage>,
    /// How.
    pub method: String,
    /// Phases: cold from the accounted process, warm from the repetitions.
    pub phases: BTreeMap<String, PhaseTime>,
    /// Counters of the accounted process.
    pub counters: BTreeMap<String, u64>,
    /// The end of what it wrote to standard error.
    pub stderr: String,
}
