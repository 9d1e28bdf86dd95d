//! Tells an allocation that the memory limit refused from a crash.
//!
//! A Rust program whose allocation fails aborts, which looks like any other abort. A program that serves as a
//! worker declares
//!
//! ```
//! #[global_allocator]
//! static ALLOC: harness_exec::alloc::LimitAlloc = harness_exec::alloc::LimitAlloc;
//! ```
//!
//! and a refused allocation in a forked child is then told to the worker through the child's report pipe
//! before the child ends. Elsewhere the allocator is the system's, and as fast. Memory that C code asks for
//! is not seen here: what that code does when it is refused counts, unless the accounts show that the limit
//! was reached.
#![expect(unsafe_code, reason = "an allocator cannot be declared without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicI32, Ordering};

/// The one byte that the pipe then holds; no report starts with it.
pub(crate) const REFUSED: u8 = b'!';

/// The exit code that goes with it; any number would do, for nobody relies on it.
pub(crate) const REFUSED_EXIT: i32 = 86;

/// Where to tell; negative outside a forked child.
static PIPE: AtomicI32 = AtomicI32::new(-1);

/// The system's allocator. In the child of a worker a refused allocation ends the process as out of memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct LimitAlloc;

/// From now on a refused allocation is told to `pipe` and ends the process.
pub(crate) fn arm(pipe: RawFd) {
    PIPE.store(pipe, Ordering::Relaxed);
}

#[cold]
fn refused() {
    let pipe = PIPE.load(Ordering::Relaxed);
    if pipe >= 0 {
        // SAFETY: the buffer is one byte long and lives until the statement ends. If the write fails, the
        // descriptor has been closed by the strategy, and the process ends all the same.
        unsafe { libc::write(pipe, [REFUSED].as_ptr().cast(), 1) };
        crate::sys::exit_now(REFUSED_EXIT);
    }
}

// SAFETY: every method is the system allocator's, with its result looked at; `refused` neither allocates nor
// unwinds.
unsafe impl GlobalAlloc for LimitAlloc {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those that `System` asks for; so below.
        let memory = unsafe { System.alloc(layout) };
        if memory.is_null() {
            refused();
        }
        memory
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        let memory = unsafe { System.alloc_zeroed(layout) };
        if memory.is_null() {
            refused();
        }
        memory
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        let memory = unsafe { System.realloc(old, layout, size) };
        if memory.is_null() {
            refused();
        }
        memory
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}
