//! What a forked child does: confines itself, does the work, writes one report, and ends. Where several
//! questions are asked, the answer to each is a line of its own before the report, written when it is there.
//!
//! Its standard output and standard error both go to the pipe that captures what strategies write; the report
//! has a pipe of its own, so that nothing a strategy prints can be taken for a report. A panic is caught and
//! reported as an error of the strategy, with its message.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd};
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use backends_api::protocol::{Early, Failure, Report};
use backends_api::{BackendError, Board, Budget, Ending, Probe, Strategy};
use harness_model::{Answer, Limits, Outcome, Question};
use rustix::process::{Pid, Resource, Rlimit, Signal, getppid, getrlimit, setrlimit};

use crate::{alloc, sys};

/// What the child was handed by the worker that forked it.
#[derive(Clone, Copy)]
pub struct Ends<'a> {
    /// Takes the report.
    pub report: BorrowedFd<'a>,
    /// Takes what is printed.
    pub capture: BorrowedFd<'a>,
    /// The worker.
    pub worker: Pid,
}

/// The kernel's own limit on private memory is this much above the memory limit: address space that is set
/// aside and never touched must not strike first, but a single huge allocation must not get through between
/// two samples either.
const SLACK: u64 = 256 << 20;

/// How far the stack may grow. Recursion over a long expression is no reason to crash.
const STACK: u64 = 64 << 20;

thread_local! {
    /// Where the last panic of this thread was. A backtrace would cost a hundred milliseconds and much
    /// memory, all of it accounted to the strategy.
    static PANIC_PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes the report of a child, given where what it has to say before is written to.
pub type Work<'a> = dyn FnMut(BorrowedFd<'_>) -> Vec<u8> + 'a;

/// Does the work of a forked child, from beginning to end.
pub fn live(ends: Ends<'_>, limits: &Limits, work: &mut Work<'_>) -> ! {
    let report = match confine(ends, limits) {
        Ok(()) => work(ends.report),
        Err(error) => {
            serialise(&failed(Failure::Error(format!("the child process could not be set up: {error}"))))
        }
    };
    // What is in a buffer belongs to the capture; whether it arrives does not change what was answered.
    let _ = io::stdout().flush();
    sys::flush_c_streams();
    let written = write_all(ends.report, &report);
    sys::exit_now(i32::from(written.is_err()));
}

/// The most bytes of a process's name.
const NAME: usize = 15;

/// The name of a process that runs a strategy, as `ps` and `top` show it: that of the strategy, its middle
/// left out where it is too long, since most differ at the end.
pub fn short_name(strategy: &str) -> CString {
    let clean: Vec<u8> = strategy
        .bytes()
        .map(|byte| if byte.is_ascii_graphic() && byte != b')' { byte } else { b'_' })
        .collect();
    let bytes = match clean.len().checked_sub(NAME) {
        None | Some(0) => clean,
        Some(_) => [&clean[..4], b"~", &clean[clean.len() - (NAME - 5)..]].concat(),
    };
    CString::new(bytes).unwrap_or_default()
}

/// Gives this process a name; that it has none harms nobody.
pub fn call(name: &CStr) {
    let _ = rustix::thread::set_name(name);
}

/// Of a child that does not come to asking the strategy.
pub fn failed(why: Failure) -> Report {
    Report { result: Err(why), phases: Default::default(), counters: Default::default() }
}

/// One JSON value. Nothing in a report can fail to be written as JSON; if it did, the exit would tell.
pub fn serialise<T: serde::Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

fn write_all(to: BorrowedFd<'_>, mut bytes: &[u8]) -> rustix::io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(to, bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// A process group of its own, an end together with the worker's, the kernel's limits behind the worker's,
/// and no way to the protocol.
fn confine(ends: Ends<'_>, limits: &Limits) -> io::Result<()> {
    rustix::process::setpgid(None, None)?;
    // The worker has one thread, so that the signal comes when the worker ends and not before.
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid() != Some(ends.worker) {
        sys::exit_now(1);
    }
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    rustix::stdio::dup2_stdout(ends.capture)?;
    rustix::stdio::dup2_stderr(ends.capture)?;
    limit(Resource::Data, limits.memory.saturating_add(SLACK).saturating_add(limits.memory / 8))?;
    limit(Resource::Cpu, cpu_backstop(limits.cpu))?;
    limit(Resource::Core, 0)?;
    let stack = getrlimit(Resource::Stack);
    if stack.current.is_some_and(|current| current < STACK) {
        let current = Some(stack.maximum.map_or(STACK, |maximum| maximum.min(STACK)));
        setrlimit(Resource::Stack, Rlimit { current, ..stack })?;
    }
    sys::heed_signals()?;
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        PANIC_PLACE.with(|cell| cell.replace(place));
    }));
    alloc::arm(ends.report.as_raw_fd());
    Ok(())
}

/// The kernel's own limit on processor time, in seconds, for a child that its worker fails to stop. It counts
/// by ticks of its clock, which on a busy virtual machine came to 122 s where its accounts say 114: it must
/// not strike before the worker does.
const fn cpu_backstop(limit: Duration) -> u64 {
    limit.as_secs().saturating_mul(2).saturating_add(5)
}

/// Lowers a limit of the kernel for good; one that is already lower stays.
fn limit(resource: Resource, value: u64) -> io::Result<()> {
    let value = getrlimit(resource).maximum.map_or(value, |maximum| maximum.min(value));
    Ok(setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) })?)
}

/// A probe that writes each of several answers to `to` as it comes. That it could not be written changes
/// nothing: the report says it again.
fn listening(question: &Question, to: BorrowedFd<'_>) -> Probe {
    let asked = question.asked();
    match to.try_clone_to_owned() {
        Ok(to) if asked > 1 => Probe::with_listener(move |place, answer| {
            let answer = Answer { reason: answer.reason.clone().map(abridged), ..answer.clone() };
            let mut line = serialise(&Early { place, answer });
            line.push(b'\n');
            let _ = write_all(to.as_fd(), &line);
        }),
        _ => Probe::new(),
    }
}

/// What a child wrote: its report, if it came to it, and else the answers that it gave before, those without
/// a gap in front.
pub fn read(written: &[u8]) -> (Option<Report>, Vec<Answer>) {
    let mut early: Vec<Answer> = Vec::new();
    let mut lines = written.split(|byte| *byte == b'\n');
    let last = lines.next_back().unwrap_or_default();
    let report: Option<Report> = serde_json::from_slice(last).ok();
    if report.is_none() {
        for Early { place, answer } in lines.filter_map(|line| serde_json::from_slice(line).ok()) {
            if let Some(before) = early.get_mut(place) {
                *before = answer;
            } else if place == early.len() {
                early.push(answer);
            } else {
                break;
            }
        }
    }
    (report, early)
}

/// Answers the question once: what the accounted child does. Answers to several are written to `to` before;
/// what is measured is on `board` as it changes. The worker enforces `limits`.
pub fn answer(
    strategy: &dyn Strategy,
    question: &Question,
    limits: Limits,
    to: BorrowedFd<'_>,
    board: Board,
) -> Report {
    let budget = Budget::unlimited().within(limits);
    let probe = listening(question, to).on(board);
    let times = Times { board: Some(board), ..Times::default() };
    let result = guarded(|| {
        let mut run = times.prepare(|| strategy.prepare(question, &budget, &probe))?;
        times.solve(|| run.run(&probe))
    });
    let result = result.and_then(|outcome| complete(outcome, question));
    let (mut phases, counters) = probe.into_parts();
    times.add_to(&mut phases);
    Report { result, phases, counters }
}

/// The two phases that are measured here and not by the strategy; absent until they are over.
#[derive(Default)]
pub struct Times {
    prepare: Cell<Option<Duration>>,
    solve: Cell<Option<Duration>>,
    /// Where they are stored too.
    board: Option<Board>,
}

impl Times {
    /// Measures `work` as `prepare`.
    pub fn prepare<T>(&self, work: impl FnOnce() -> T) -> T {
        self.measure("prepare", &self.prepare, work)
    }

    /// Measures `work` as `solve`.
    pub fn solve<T>(&self, work: impl FnOnce() -> T) -> T {
        self.measure("solve", &self.solve, work)
    }

    fn measure<T>(&self, name: &str, cell: &Cell<Option<Duration>>, work: impl FnOnce() -> T) -> T {
        let stored = self.board.and_then(|board| Some((board, board.phase(name)?)));
        let start = Instant::now();
        if let Some((board, slot)) = stored {
            board.open(slot, start);
        }
        let result = work();
        let took = start.elapsed();
        if let Some((board, slot)) = stored {
            board.close(slot, took);
        }
        cell.set(Some(took));
        result
    }

    /// Puts them among a strategy's own phases. No phase takes no time: what the clock is too coarse for is 1
    /// ns.
    pub fn add_to(&self, phases: &mut BTreeMap<String, u64>) {
        for (name, time) in [("prepare", self.prepare.get()), ("solve", self.solve.get())] {
            if let Some(time) = time {
                phases.insert(name.to_owned(), u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
            }
        }
        for nanos in phases.values_mut() {
            *nanos = (*nanos).max(1);
        }
    }
}

/// Runs a strategy's code; an error or a panic becomes a failure.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, BackendError>) -> Result<T, Failure> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(BackendError::Unsupported(what))) => Err(Failure::Unsupported(abridged(what))),
        Ok(Err(BackendError::Ended(Ending::Exit(code)))) => Err(Failure::Exit(code)),
        Ok(Err(BackendError::Ended(Ending::Signal(signal)))) => Err(Failure::Signal(signal)),
        Ok(Err(error)) => Err(Failure::Error(abridged(error.to_string()))),
        Err(panic) => {
            let place = PANIC_PLACE.with(|cell| cell.take());
            let at = if place.is_empty() { String::new() } else { format!(" at {place}") };
            Err(Failure::Error(abridged(format!("panic{at}: {}", message(&*panic)))))
        }
    }
}

/// So many bytes of what a strategy says of its reasons are kept.
const SAID: usize = 1000;

/// The beginning of a text that is too long: it may quote a literal of a megabyte, which is in the task
/// already.
fn abridged(mut text: String) -> String {
    if text.len() > SAID {
        let all = text.len();
        text.truncate(text.floor_char_boundary(SAID));
        text.push_str(&format!("… ({all} bytes in all)"));
    }
    text
}

fn message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message")
}

/// One answer for each operation or `check-sat`, or it is an error. Long reasons are cut.
pub fn complete(mut outcome: Outcome, question: &Question) -> Result<Vec<Answer>, Failure> {
    let (said, asked) = (outcome.answers.len(), question.asked());
    for answer in &mut outcome.answers {
        answer.reason = answer.reason.take().map(abridged);
    }
    if said == asked {
        Ok(outcome.answers)
    } else {
        Err(Failure::Error(format!("{said} answers to {asked} questions")))
    }
}

#[cfg(test)]
mod tests {
    use harness_model::Verdict;

    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_message() {
        let number = 7;
        let failure = guarded::<()>(|| panic!("at {number}"));
        assert_eq!(failure, Err(Failure::Error("panic: at 7".into())));
    }

    #[test]
    fn early_answers_are_read_up_to_a_gap_and_not_beside_a_report() {
        let line = |place, verdict| {
            let mut line = serialise(&Early { place, answer: Answer::of(verdict) });
            line.push(b'\n');
            line
        };
        let (unsat, unknown) = (Verdict::Unsat, Verdict::Unknown);
        let told =
            [line(0, unknown), line(1, unsat), line(0, unsat), line(3, unsat), line(2, unsat)].concat();
        let verdicts = |written: &[u8]| read(written).1.iter().map(|a| a.verdict).collect::<Vec<_>>();
        assert_eq!(verdicts(&told), [unsat, unsat]);
        // Killed while it wrote.
        let cut = [line(0, unknown), line(1, unsat)].concat();
        assert_eq!(verdicts(&cut[..cut.len() - 2]), [unknown]);
        let report = failed(Failure::Error("why".into()));
        let whole = [line(0, unknown), serialise(&report)].concat();
        assert_eq!(read(&whole), (Some(report), Vec::new()));
        assert_eq!(read(b""), (None, Vec::new()));
    }

    #[test]
    fn long_reasons_are_cut_between_characters() {
        assert_eq!(abridged("é".repeat(500)), "é".repeat(500));
        assert_eq!(
            abridged(format!("a{}", "é".repeat(500))),
            format!("a{}… (1001 bytes in all)", "é".repeat(499))
        );
        let failure = guarded::<()>(|| Err(BackendError::Unsupported("x".repeat(1_000_000))));
        assert!(matches!(failure, Err(Failure::Unsupported(what)) if what.len() < 1100));
    }

    #[test]
    fn names_of_processes() {
        for (strategy, name) in [
            ("z3", "z3"),
            ("graph-automata-free-ranges", "grap~ree-ranges"),
            ("sfa-bdd-lazy-12", "sfa-bdd-lazy-12"),
            ("a (b)\n\u{e9}", "a_(b____"),
        ] {
            assert_eq!(short_name(strategy).to_str(), Ok(name));
        }
    }

    #[test]
    fn no_phase_takes_no_time() {
        let mut phases = [("parse".to_owned(), 0)].into();
        let times = Times::default();
        times.prepare(|| ());
        times.add_to(&mut phases);
        assert!(phases.values().all(|&nanos| nanos > 0));
        assert!(phases.contains_key("prepare") && !phases.contains_key("solve"));
    }
}
