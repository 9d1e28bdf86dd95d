//! The runner: what is run in which order, in worker processes, under limits, and measured.
//!
//! Two processes meet here. The *harness* plans, hands out jobs and collects records; a *worker*, the same
//! program started as `harness worker`, forks one child for each record, watches it and accounts for it. They
//! speak the protocol of [`backends_api::protocol`].
//!
//! In the harness:
//! - [`mod@plan`]: jobs, their interleaved order, and what is left of them after an earlier run
//! - [`calibrate`]: what is measured of the machine in between
//! - [`scheduler`]: hands jobs to executors, records to a sink, `progress` to an observer; stops when told
//! - [`executor`]: what makes one record; [`process`] does it in a worker process, which `remote` starts,
//!   speaks to and ends; [`fake`] pretends, for tests
//! - [`cores`]: which cores workers are bound to; [`machine`]: what is known of the machine; [`doctor`]:
//!   which limits work on it
//!
//! In the worker:
//! - [`worker`]: the loop that serves requests
//! - `supervise`: one child under its limits; `child`: what the child does; `repeat`: warm repetitions
//! - [`alloc`]: tells an allocation that a limit refused from a crash
//!
//! In both: `proc` reads `/proc`, `lines` reads lines from pipes, `sys` holds the system calls that need
//! `unsafe`.
//!
//! This crate must never depend on a backend, on the store, on configs or on the judge. Linux only, 5.4 or
//! later.

pub mod alloc;
pub mod calibrate;
mod child;
pub mod cores;
pub mod doctor;
pub mod executor;
pub mod fake;
mod lines;
pub mod machine;
#[cfg(feature = "misbehaving")]
pub mod misbehave;
pub mod plan;
#[cfg(feature = "planted")]
pub mod plant;
mod proc;
pub mod process;
mod progress;
mod remote;
mod repeat;
pub mod scheduler;
mod supervise;
mod sys;
pub mod worker;

pub use cores::Cores;
pub use executor::{Execution, Executor};
pub use plan::{Build, Job, PlanSpec, PlannedStrategy, interleaved, plan, remaining};
pub use process::{PairExecutor, Pool, ProcessExecutor, Renew, WorkerCommand};
pub use scheduler::{Finished, Observer, Progress, RunError, Silent, run};
