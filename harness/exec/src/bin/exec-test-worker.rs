//! A worker that serves the misbehaving strategies, for the tests of this crate.

use std::process::ExitCode;

#[global_allocator]
static ALLOC: harness_exec::alloc::LimitAlloc = harness_exec::alloc::LimitAlloc;

fn main() -> ExitCode {
    harness_exec::worker::serve(harness_exec::misbehave::strategies())
}
