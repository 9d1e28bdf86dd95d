//! An executor that pretends, for tests of what stands above it: no process, no waiting.

use std::collections::BTreeMap;

use backends_api::protocol::Reply;
use harness_model::record::{Termination, Usage};

use crate::executor::{Execution, Executor};
use crate::plan::Job;

/// Calls a function for every job.
pub struct FakeExecutor<F> {
    core: Option<u32>,
    behave: F,
}

impl<F: FnMut(&Job) -> Execution + Send> FakeExecutor<F> {
    /// On no core; `behave` is called for every job.
    pub const fn new(behave: F) -> Self {
        Self { core: None, behave }
    }
}

impl<F: FnMut(&Job) -> Execution + Send> Executor for FakeExecutor<F> {
    fn core(&self) -> Option<u32> {
        self.core
    }

    fn execute(&mut self, job: &Job, stopped: &(dyn Fn() -> bool + Sync)) -> Execution {
        if stopped() { Execution::Stopped } else { (self.behave)(job) }
    }
}

/// A reply with this termination, a little usage, and nothing else.
pub fn reply(termination: Termination) -> Reply {
    Reply {
        id: 0,
        termination,
        answers: Vec::new(),
        usage: Some(Usage { wall_ns: 1, cpu_ns: 1, peak_rss_bytes: 1 }),
        method: "fake".into(),
        phases: BTreeMap::new(),
        counters: BTreeMap::new(),
        stderr: String::new(),
    }
}
