//! `harness`: compares strategies for solving string constraints, side by side.
//!
//! - [`args`]: the command line; [`cmd`]: one file a command; [`exit`]: what the exit status means
//! - [`study`]: from a configuration to tasks; [`sources`]: corpora, generators and users' files;
//!   [`session`]: the plan run, judged and reported; [`cells`]: which records there have to be; [`chosen`]:
//!   which of them are meant
//! - [`fetch`]: public corpora brought into the cache, with git
//! - [`regress`]: two runs compared; [`shrink`]: questions made smaller; [`submit`]: studies that run as jobs
//! - [`solve`]: files answered as SMT solvers do; [`problem`]: files of problems; [`reply`]: what SMT solvers
//!   print; [`drawings`]: pictures of tasks
//! - [`inventory`]: what this build has; [`operations`]: what its strategies do with operations;
//!   [`embedded`]: the configurations that are part of it; [`complete`]: what shells complete names with
//! - [`progress`], [`summary`], [`out`], [`interrupt`]: what people see, and how they stop it
//!
//! The same program serves as worker process: `harness worker`.

mod args;
mod cells;
mod chosen;
mod cmd;
mod complete;
mod drawings;
mod embedded;
mod exit;
mod fetch;
mod interrupt;
mod inventory;
mod operations;
mod out;
mod problem;
mod progress;
mod receipt;
mod regress;
mod reply;
mod session;
mod shrink;
mod solve;
mod sources;
mod study;
mod submit;
mod summary;

/// Tells an allocation that a worker's memory limit refused from a crash.
#[global_allocator]
static ALLOC: harness_exec::alloc::LimitAlloc = harness_exec::alloc::LimitAlloc;

fn main() -> std::process::ExitCode {
    cmd::main()
}
