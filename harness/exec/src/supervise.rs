//! One child under its limits: forked, watched, ended, and accounted for.
//!
//! The worker has one thread and waits in `poll`: for the child's end (a pidfd), for what it reports and
//! prints, for a signal that asks the worker itself to end, and for the next look at what the child's tree
//! uses. How often it looks depends on how soon a limit could be reached, so that a harmless child is hardly
//! disturbed. The cause of a kill is the limit that was found exceeded, never guessed from the signal that
//! ended the child.
//!
//! Because the worker is a subreaper, every descendant whose parent ends becomes a child of the worker; when
//! [`watch`] returns there is none left, however it ended, and neither is its folder of files.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use backends_api::scratch;
use harness_model::Limits;
use harness_model::record::Usage;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, PidfdFlags, Signal, getpid, getppid, kill_process, kill_process_group, pidfd_open,
    set_child_subreaper,
};

use crate::child::{self, Ends, Work};
use crate::lines::{Read, Tail, read_chunk};
use crate::proc::{self, Sample};
use crate::sys::{self, Exit, Reaped, Waited};

/// How much of what a child prints is kept: the end of it.
const KEPT_OUTPUT: usize = 4096;

/// A longer report is not read to its end: a worker must stay small.
const LONGEST_REPORT: usize = 64 << 20;

/// The time between two looks at a tree is between these.
const LOOK_SOON: Duration = Duration::from_millis(5);
const LOOK_LATE: Duration = Duration::from_millis(50);

/// The first look, and every look at a tree of several processes.
const LOOK: Duration = Duration::from_millis(10);

/// How long after its child a worker may be ended by whoever ends the whole tree.
const SOON: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };

/// No process touches new memory faster than this, in bytes a nanosecond.
const FASTEST_GROWTH: u64 = 8;

/// What the watching of a child has led to.
#[derive(Debug)]
pub enum Watched {
    /// It ended or was ended.
    Ended(Box<Ended>),
    /// The worker is not wanted any more; the child and its descendants are gone.
    Abandoned,
}

/// A child that has ended, and its descendants with it.
#[derive(Debug)]
pub struct Ended {
    /// Which limit it was killed for.
    pub limit: Option<LimitHit>,
    /// How the child itself ended.
    pub exit: Exit,
    /// What the kernel accounted to it and its descendants.
    pub usage: Usage,
    /// How that was measured.
    pub method: &'static str,
    /// What it wrote to its report pipe.
    pub report: Vec<u8>,
    /// The end of what it printed.
    pub output: String,
}

/// A limit that was found exceeded while the child ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitHit {
    /// Time by the clock.
    Wall,
    /// Processor time.
    Cpu,
    /// Resident memory.
    Memory,
    /// The length of the report.
    Report,
}

/// What tells a worker that it is not wanted any more: a signal, or the end of the process that started it.
pub struct Control {
    signals: OwnedFd,
    parent: Option<Pid>,
}

impl Control {
    /// Diverts the signals that ask a process to end, and makes the process the one to which orphaned
    /// descendants fall.
    pub fn new() -> io::Result<Self> {
        set_child_subreaper(Some(getpid()))?;
        Ok(Self { signals: sys::divert_signals()?, parent: getppid() })
    }

    /// Becomes readable when a signal has come.
    pub fn signals(&self) -> BorrowedFd<'_> {
        self.signals.as_fd()
    }

    /// Whether a signal has come or the parent is gone. The end of the input is not enough: requests may come
    /// from a file.
    pub fn is_abandoned(&self) -> bool {
        self.is_abandoned_within(Timespec { tv_sec: 0, tv_nsec: 0 })
    }

    /// Whether that is so at once or soon. Who ends a whole tree of processes, as batch systems do, reaches
    /// one of them after the other: a child that a signal ended may only have been the first one.
    pub fn is_abandoned_soon(&self) -> bool {
        self.is_abandoned_within(SOON)
    }

    fn is_abandoned_within(&self, time: Timespec) -> bool {
        let mut signals = [PollFd::new(&self.signals, PollFlags::IN)];
        let signalled = poll(&mut signals, Some(&time)) == Ok(1);
        signalled || getppid() != self.parent
    }
}

/// Forks a child that does `work` and writes what it gives to its report pipe; watches it to its end.
///
/// Errors are those of the worker's own system calls; a child that was forked is gone then as well.
pub fn watch(control: &Control, limits: &Limits, work: &mut Work<'_>) -> io::Result<Watched> {
    let (report, report_in) = pipe_with(PipeFlags::CLOEXEC)?;
    let (capture, capture_in) = pipe_with(PipeFlags::CLOEXEC)?;
    fcntl_setfl(&report, OFlags::NONBLOCK)?;
    fcntl_setfl(&capture, OFlags::NONBLOCK)?;
    let worker = getpid();
    let start = Instant::now();
    let Some(pid) = sys::fork()? else {
        let ends = Ends { report: report_in.as_fd(), capture: capture_in.as_fd(), worker };
        child::live(ends, limits, work);
    };
    drop((report_in, capture_in));
    // The child does the same; whoever comes first, a kill of the group reaches the child. It fails when the
    // child has ended already, and then there is no need for it.
    let _ = rustix::process::setpgid(Some(pid), Some(pid));
    let mut streams = Streams {
        report: Some(report),
        capture: Some(capture),
        bytes: Vec::new(),
        tail: Tail::new(KEPT_OUTPUT),
    };
    let mut peak = Sample::default();
    let outcome = pidfd_open(pid, PidfdFlags::empty())
        .map_err(io::Error::from)
        .and_then(|pidfd| attend(control, limits, start, &pidfd, &mut streams, &mut peak));
    let sum = clear(pid);
    scratch::remove(pid.as_raw_pid().unsigned_abs());
    let (stop, sum) = (outcome?, sum?);
    let limit = match stop {
        Stop::Abandoned => return Ok(Watched::Abandoned),
        Stop::Ended => None,
        Stop::Limit(limit) => Some(limit),
    };
    streams.drain()?;
    let several = peak.processes > 1 || sum.several;
    let wall = sum.ended.saturating_duration_since(start);
    let tree_rss = if several { peak.rss_bytes } else { 0 };
    Ok(Watched::Ended(Box::new(Ended {
        limit,
        exit: sum.exit,
        usage: Usage {
            wall_ns: nanos(wall),
            cpu_ns: nanos(sum.cpu),
            peak_rss_bytes: sum.peak_rss_bytes.max(tree_rss),
        },
        method: if several { METHOD_TREE } else { METHOD_ONE },
        report: streams.bytes,
        output: streams.tail.into_text(),
    })))
}

const METHOD_ONE: &str = "wait4 of the forked child: time and ru_maxrss";
const METHOD_TREE: &str = "wait4 of the forked child and its descendants: time; larger of ru_maxrss and the sampled sum of resident sets";

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).max(1)
}

/// Why the watching stopped.
enum Stop {
    Ended,
    Limit(LimitHit),
    Abandoned,
}

/// Waits until the child ends, a limit is exceeded, or nobody wants the result.
fn attend(
    control: &Control,
    limits: &Limits,
    start: Instant,
    pidfd: &OwnedFd,
    streams: &mut Streams,
    peak: &mut Sample,
) -> io::Result<Stop> {
    let deadline = start.checked_add(limits.wall);
    let mut look = start + LOOK;
    loop {
        let next = deadline.map_or(look, |deadline| deadline.min(look));
        let ended = streams.wait(pidfd, control, next.saturating_duration_since(Instant::now()))?;
        if streams.bytes.len() > LONGEST_REPORT {
            return Ok(Stop::Limit(LimitHit::Report));
        }
        if ended {
            return Ok(Stop::Ended);
        }
        if control.is_abandoned() {
            return Ok(Stop::Abandoned);
        }
        let now = Instant::now();
        if deadline.is_some_and(|deadline| now >= deadline) {
            return Ok(Stop::Limit(LimitHit::Wall));
        }
        if now >= look {
            let sample = proc::sample(getpid());
            peak.processes = peak.processes.max(sample.processes);
            peak.rss_bytes = peak.rss_bytes.max(sample.rss_bytes);
            if sample.rss_bytes > limits.memory {
                return Ok(Stop::Limit(LimitHit::Memory));
            }
            if sample.cpu > limits.cpu {
                return Ok(Stop::Limit(LimitHit::Cpu));
            }
            look = now + pause(&sample, limits);
        }
    }
}

/// How long a tree may be left alone: until a limit could be reached.
fn pause(sample: &Sample, limits: &Limits) -> Duration {
    let room = limits.memory.saturating_sub(sample.rss_bytes);
    let memory = Duration::from_nanos(room / FASTEST_GROWTH);
    let cpu = limits.cpu.saturating_sub(sample.cpu);
    let latest = if sample.processes > 1 { LOOK } else { LOOK_LATE };
    memory.min(cpu).clamp(LOOK_SOON, latest)
}

/// The reading ends of the child's two pipes, and what came out of them.
struct Streams {
    report: Option<OwnedFd>,
    capture: Option<OwnedFd>,
    bytes: Vec<u8>,
    tail: Tail,
}

impl Streams {
    /// Waits at most so long for anything to happen; reads what there is to read; says whether the child has
    /// ended.
    fn wait(&mut self, pidfd: &OwnedFd, control: &Control, timeout: Duration) -> io::Result<bool> {
        let timeout = Timespec::try_from(timeout).unwrap_or(Timespec { tv_sec: 1, tv_nsec: 0 });
        let signals = control.signals();
        let mut fds = vec![PollFd::new(pidfd, PollFlags::IN), PollFd::new(&signals, PollFlags::IN)];
        for stream in [&self.report, &self.capture].into_iter().flatten() {
            fds.push(PollFd::new(stream, PollFlags::IN));
        }
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let ended = !fds[0].revents().is_empty();
        self.read()?;
        Ok(ended)
    }

    /// Reads one chunk of each; whether there was anything.
    fn read(&mut self) -> io::Result<bool> {
        let mut any = false;
        if let Some(report) = &self.report {
            match read_chunk(report, &mut self.bytes)? {
                Read::End => self.report = None,
                read => any |= matches!(read, Read::Some(_)),
            }
        }
        if let Some(capture) = &self.capture {
            match self.tail.fill(capture)? {
                Read::End => self.capture = None,
                read => any |= matches!(read, Read::Some(_)),
            }
        }
        Ok(any)
    }

    /// Reads what is left when nobody can write any more: at most what the pipes can hold.
    fn drain(&mut self) -> io::Result<()> {
        while self.read()? {}
        Ok(())
    }
}

/// The accounts of a tree that is gone.
struct Sum {
    exit: Exit,
    ended: Instant,
    cpu: Duration,
    peak_rss_bytes: u64,
    several: bool,
}

/// Kills what is left of the tree of `child`, which is everything that descends from this process, waits for
/// all of it, and adds up the accounts.
fn clear(child: Pid) -> io::Result<Sum> {
    let mut sum = Sum {
        exit: Exit::Signal(Signal::KILL.as_raw()),
        ended: Instant::now(),
        cpu: Duration::ZERO,
        peak_rss_bytes: 0,
        several: false,
    };
    // Before anything is waited for, so that neither number can have been given to another process. Both fail
    // when there is nobody left to kill, which is what is wanted.
    let _ = kill_process(child, Signal::KILL);
    let _ = kill_process_group(child, Signal::KILL);
    let mut nap = Duration::from_micros(50);
    loop {
        match sys::wait_any()? {
            Waited::Reaped(Reaped { pid, exit, cpu, peak_rss_bytes }) => {
                sum.cpu += cpu;
                sum.peak_rss_bytes = sum.peak_rss_bytes.max(peak_rss_bytes);
                if pid == child {
                    (sum.exit, sum.ended) = (exit, Instant::now());
                } else {
                    sum.several = true;
                }
            }
            Waited::Childless => return Ok(sum),
            Waited::Alive => {
                // Some may have been forked since they were last listed: list and kill until there is none.
                for pid in proc::descendants(getpid()) {
                    let _ = kill_process(pid, Signal::KILL);
                }
                std::thread::sleep(nap);
                nap = (nap * 2).min(Duration::from_millis(2));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_rare_where_nothing_can_happen_soon() {
        let second = Duration::from_secs(1);
        let limits = Limits { wall: second, cpu: second, memory: 4 << 30 };
        let small = Sample { processes: 1, cpu: Duration::ZERO, rss_bytes: 10 << 20 };
        assert_eq!(pause(&small, &limits), LOOK_LATE);
        assert_eq!(pause(&Sample { rss_bytes: 4 << 30, ..small }, &limits), LOOK_SOON);
        assert_eq!(
            pause(&Sample { cpu: Duration::from_millis(980), ..small }, &limits),
            Duration::from_millis(20)
        );
        assert_eq!(pause(&Sample { processes: 2, ..small }, &limits), LOOK);
    }
}
