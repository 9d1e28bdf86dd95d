//! The system calls that no safe wrapper offers: `fork` without `exec`, `wait4`, a descriptor for signals,
//! memory that processes share.
//!
//! The only `unsafe` code of this crate beside [`crate::alloc`].
#![expect(unsafe_code, reason = "see above")]

use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{FromRawFd as _, OwnedFd};
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use rustix::process::Pid;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// A process that was waited for.
#[derive(Clone, Copy, Debug)]
pub struct Reaped {
    /// Which.
    pub pid: Pid,
    /// How it ended.
    pub exit: Exit,
    /// User and system time of it and of the descendants that it had waited for.
    pub cpu: Duration,
    /// The largest resident set of it or of one of these descendants, in bytes.
    pub peak_rss_bytes: u64,
}

/// What [`wait_any`] found.
#[derive(Clone, Copy, Debug)]
pub enum Waited {
    /// A child had ended.
    Reaped(Reaped),
    /// There are children, all of them alive.
    Alive,
    /// There is no child.
    Childless,
}

/// Whether this process has one thread, so that a forked child may do anything.
pub fn is_single_threaded() -> io::Result<bool> {
    Ok(fs::read_dir("/proc/self/task")?.count() == 1)
}

/// Forks; `None` in the child. The caller has made sure that the process [has one
/// thread](is_single_threaded).
pub fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: with a single thread no lock can be held by a thread that the child lacks, so that the child is
    // not confined to async-signal-safe functions. Nothing here relies on values that fork does not copy.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        pid => Ok(Pid::from_raw(pid)),
    }
}

/// Ends this process at once: no destructor, no exit handler. For forked children, whose buffers and handlers
/// are copies of their parent's.
pub fn exit_now(code: i32) -> ! {
    // SAFETY: `_exit` takes any number and does not return.
    unsafe { libc::_exit(code) }
}

/// Writes out what C code of this process has in its buffers.
pub fn flush_c_streams() {
    // SAFETY: a null argument means all streams; the process has no other thread that uses one.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}

/// Gives memory that was freed back to the system, where the C library has a call for it.
pub fn give_memory_back() {
    #[cfg(target_env = "gnu")]
    // SAFETY: takes any number, and touches free memory only.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Takes a child that has ended, if there is one, with the kernel's accounts of it. Does not wait.
pub fn wait_any() -> io::Result<Waited> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both pointers are valid for writes of their types for the length of the call.
    let pid = unsafe { libc::wait4(-1, &raw mut status, libc::WNOHANG | libc::__WALL, usage.as_mut_ptr()) };
    if pid < 0 {
        let error = io::Error::last_os_error();
        return if error.raw_os_error() == Some(libc::ECHILD) { Ok(Waited::Childless) } else { Err(error) };
    }
    let Some(pid) = Pid::from_raw(pid) else { return Ok(Waited::Alive) };
    // SAFETY: every field of `rusage` is an integer, for which all bits zero are a value; the kernel filled
    // it in.
    let usage = unsafe { usage.assume_init() };
    let exit = if libc::WIFSIGNALED(status) {
        Exit::Signal(libc::WTERMSIG(status))
    } else {
        Exit::Code(libc::WEXITSTATUS(status))
    };
    let peak_rss_bytes = u64::try_from(usage.ru_maxrss).unwrap_or(0).saturating_mul(1024);
    Ok(Waited::Reaped(Reaped { pid, exit, cpu: time(usage.ru_utime) + time(usage.ru_stime), peak_rss_bytes }))
}

fn time(value: libc::timeval) -> Duration {
    let seconds = u64::try_from(value.tv_sec).unwrap_or(0);
    let micros = u64::try_from(value.tv_usec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(micros)
}

/// From now on the signals that ask a process to end are read from the returned descriptor, and end nothing
/// by themselves. A forked child undoes it with [`heed_signals`].
pub fn divert_signals() -> io::Result<OwnedFd> {
    let signals = ending_signals();
    // SAFETY: `signals` is an initialised set, and a null pointer for the old mask is allowed.
    if unsafe { libc::sigprocmask(libc::SIG_BLOCK, &raw const signals, std::ptr::null_mut()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: `signals` is an initialised set; -1 asks for a new descriptor.
    let fd = unsafe { libc::signalfd(-1, &raw const signals, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just made this descriptor for us; nobody else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Undoes [`divert_signals`] in a forked child.
pub fn heed_signals() -> io::Result<()> {
    let signals = ending_signals();
    // SAFETY: as in `divert_signals`.
    match unsafe { libc::sigprocmask(libc::SIG_UNBLOCK, &raw const signals, std::ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn ending_signals() -> libc::sigset_t {
    let mut signals = MaybeUninit::uninit();
    // SAFETY: `sigemptyset` initialises the set, to which `sigaddset` then adds signals that exist.
    unsafe {
        libc::sigemptyset(signals.as_mut_ptr());
        for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
            libc::sigaddset(signals.as_mut_ptr(), signal);
        }
        signals.assume_init()
    }
}
/// Memory for this process and those that it forks, all zero. It is mapped for as long as the process lives.
pub fn shared_memory<const WORDS: usize>() -> io::Result<&'static [AtomicU64; WORDS]> {
    // SAFETY: a new mapping of its own, readable and writable, aligned to a page and zeroed by the kernel,
    // for which all bits zero are valid atomic integers. It is never unmapped, and only ever reached through
    // the shared reference that is given here. Processes that share it use atomic operations alone.
    unsafe {
        let bytes = size_of::<[AtomicU64; WORDS]>();
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
        let address = libc::mmap(std::ptr::null_mut(), bytes, access, kind, -1, 0);
        if address == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(&*address.cast::<[AtomicU64; WORDS]>())
    }
}
