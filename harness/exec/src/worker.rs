//! What `harness worker` does: greets, and makes one record for each request, until it is not wanted any
//! more.
//!
//! A worker is a fork server. It has the strategies in memory and never runs one: each record is made by a
//! forked child that ends with it. So a record starts from the same clean memory as the first one, a crash
//! harms nothing, the kernel's accounts of the child are the record's own, and there is no start-up to wait
//! for. The price is that a worker must have a single thread, which is checked, and must stay small, for its
//! resident memory is where its children's peak starts from. So the question is parsed by the child alone;
//! the worker keeps nothing of a request once it is answered, and gives memory back to the system before it
//! ends the line of the reply. The harness replaces a worker that has grown all the same.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, Write as _};
use std::os::fd::BorrowedFd;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use backends_api::protocol::{Failure, Hello, Reply, Report, Request, VERSION};
use backends_api::{Board, Strategy, progress};
use harness_model::calibration::CalibrationKind;
use harness_model::limits::Sampling;
use harness_model::record::{PhaseTime, Termination, TimeLimit};
use harness_model::{Answer, Limits};
use rustix::event::{PollFd, PollFlags, poll};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::lines::{Lines, Read};
use crate::repeat::{Cold, Repetitions, repeat};
use crate::supervise::{Control, Ended, LimitHit, Watched, watch};
use crate::sys::Exit;
use crate::{alloc, calibrate, child, sys};

/// Serves requests from standard input to standard output, until the input ends, a signal asks for the end,
/// or the process that started the worker is gone; in the last two cases a record in flight is killed.
///
/// `strategies` gives the strategy of a canonical name, if there is one; each is asked for once, before the
/// first child that uses it is forked.
///
/// To be called from `main` before any thread is started. The program should use
/// [`crate::alloc::LimitAlloc`]. The exit code is 0, or 2 when requests cannot be served at all, which is
/// told on standard error.
pub fn serve(strategies: impl Fn(&str) -> Option<Box<dyn Strategy>> + 'static) -> ExitCode {
    match Worker::new(Box::new(strategies)).and_then(|worker| worker.serve()) {
        Ok(()) => ExitCode::SUCCESS,
        // Nobody is listening any more.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "worker: {error}");
            ExitCode::from(2)
        }
    }
}

/// After a longer request or report, free memory is given back to the system.
const LARGE: usize = 16 << 10;

/// A [`Request`] without the question.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    id: u64,
    strategy: String,
    /// Looked over and not kept.
    #[serde(rename = "question")]
    _question: IgnoredAny,
    limits: Limits,
    sampling: Option<Sampling>,
}

/// A request as the worker received it: only the envelope is read.
struct ReceivedRequest {
    envelope: Envelope,
    /// The request as it came.
    line: Vec<u8>,
}

impl ReceivedRequest {
    fn new(line: Vec<u8>) -> io::Result<Self> {
        match serde_json::from_slice(&line) {
            Ok(envelope) => Ok(Self { envelope, line }),
            Err(error) => Err(io::Error::new(io::ErrorKind::InvalidData, format!("not a request: {error}"))),
        }
    }

    /// Everything that was asked: for a forked child, whose memory the question then is in.
    fn parse(&self) -> Result<Request, Failure> {
        serde_json::from_slice(&self.line)
            .map_err(|error| Failure::Error(format!("the question cannot be read: {error}")))
    }
}

/// Gives the strategy of a name.
type Strategies = Box<dyn Fn(&str) -> Option<Box<dyn Strategy>>>;

struct Worker {
    strategies: Strategies,
    /// Those that were asked for.
    known: RefCell<HashMap<String, Rc<dyn Strategy>>>,
    /// Memory that is shared with the children.
    shared: &'static [AtomicU64; progress::WORDS],
    control: Control,
}

impl Worker {
    fn new(strategies: Strategies) -> io::Result<Self> {
        if !sys::is_single_threaded()? {
            return Err(io::Error::other("a worker forks, and must be started before any thread is"));
        }
        child::call(c"harness-worker");
        Ok(Self {
            strategies,
            known: RefCell::default(),
            shared: sys::shared_memory()?,
            control: Control::new()?,
        })
    }

    /// The strategy of this name.
    fn strategy(&self, name: &str) -> Option<Rc<dyn Strategy>> {
        let mut known = self.known.borrow_mut();
        if let Some(strategy) = known.get(name) {
            return Some(Rc::clone(strategy));
        }
        let strategy: Rc<dyn Strategy> = (self.strategies)(name)?.into();
        known.insert(name.to_owned(), Rc::clone(&strategy));
        Some(strategy)
    }

    fn serve(&self) -> io::Result<()> {
        send(&Hello { protocol: VERSION, harness: env!("CARGO_PKG_VERSION").to_owned() })?;
        end_line()?;
        let mut lines = Lines::default();
        while let Some(line) = self.next_line(&mut lines)? {
            let mut large = line.len() > LARGE;
            let asked = ReceivedRequest::new(line)?;
            let Some(reply) = self.reply(&asked)? else { return Ok(()) };
            drop(asked);
            large |= send(&reply)? > LARGE;
            drop(reply);
            if large {
                sys::give_memory_back();
            }
            // Only now may the harness take the worker for idle.
            end_line()?;
        }
        Ok(())
    }

    /// Waits for a request; `None` when there will be none.
    fn next_line(&self, lines: &mut Lines) -> io::Result<Option<Vec<u8>>> {
        let (stdin, signals) = (io::stdin(), self.control.signals());
        loop {
            if let Some(line) = lines.next_line() {
                return Ok(Some(line));
            }
            let mut fds = [PollFd::new(&stdin, PollFlags::IN), PollFd::new(&signals, PollFlags::IN)];
            match poll(&mut fds, None) {
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            }
            let [input, signal] = fds.map(|fd| !fd.revents().is_empty());
            if signal || (input && lines.fill(&stdin)? == Read::End) {
                return Ok(None);
            }
        }
    }

    /// Makes one record; `None` when it is not wanted any more.
    fn reply(&self, asked: &ReceivedRequest) -> io::Result<Option<Reply>> {
        let request = &asked.envelope;
        if let Some(kind) = CalibrationKind::of_request(&request.strategy) {
            return self.calibrate(kind, request);
        }
        let Some(strategy) = self.strategy(&request.strategy) else {
            return Ok(Some(unknown_strategy(request)));
        };
        let strategy = &*strategy;
        let board = Board::new(self.shared);
        let name = child::short_name(&request.strategy);
        let mut work = |to: BorrowedFd<'_>| {
            child::call(&name);
            child::serialise(&match asked.parse() {
                Ok(request) => child::answer(strategy, &request.question, request.limits, to, board),
                Err(failure) => child::failed(failure),
            })
        };
        let Watched::Ended(ended) = watch(&self.control, &request.limits, &mut work)? else {
            return Ok(None);
        };
        let (report, early) = child::read(&ended.report);
        let termination = termination(&ended, report.as_ref(), &request.limits);
        if is_told_to_end(&termination) && self.control.is_abandoned_soon() {
            return Ok(None);
        }
        let mut reply = Reply {
            id: request.id,
            termination,
            answers: early,
            usage: Some(ended.usage),
            method: ended.method.to_owned(),
            phases: Default::default(),
            counters: Default::default(),
            stderr: ended.output,
        };
        if let Some(report) = report {
            reply.phases = report
                .phases
                .into_iter()
                .map(|(name, cold_ns)| (name, PhaseTime { cold_ns, warm: None }))
                .collect();
            reply.counters = report.counters;
            reply.answers = report.result.unwrap_or_default();
        } else {
            // It was stopped: what it had measured until then.
            let (phases, counters) = board.read(Duration::from_nanos(ended.usage.wall_ns));
            reply.phases =
                phases.into_iter().map(|(name, ns)| (name, PhaseTime { cold_ns: ns, warm: None })).collect();
            reply.counters = counters;
        }
        if reply.termination == Termination::Answered && !self.add_repetitions(strategy, asked, &mut reply)? {
            return Ok(None);
        }
        Ok(Some(reply))
    }

    /// Measures the machine: a child that does nothing, or a fixed piece of work. `None` when it is not
    /// wanted any more.
    fn calibrate(&self, kind: CalibrationKind, request: &Envelope) -> io::Result<Option<Reply>> {
        let mut work = |_: BorrowedFd<'_>| {
            if kind == CalibrationKind::Kernel {
                calibrate::kernel();
            }
            child::serialise(&nothing_said())
        };
        let Watched::Ended(ended) = watch(&self.control, &request.limits, &mut work)? else {
            return Ok(None);
        };
        let (report, _) = child::read(&ended.report);
        Ok(Some(Reply {
            id: request.id,
            termination: termination(&ended, report.as_ref(), &request.limits),
            answers: Vec::new(),
            usage: Some(ended.usage),
            method: ended.method.to_owned(),
            phases: Default::default(),
            counters: Default::default(),
            stderr: ended.output,
        }))
    }

    /// Repeats a short run and adds warm times; a repetition that goes wrong makes the whole record an error.
    /// False when the record is not wanted any more.
    fn add_repetitions(
        &self,
        strategy: &dyn Strategy,
        asked: &ReceivedRequest,
        reply: &mut Reply,
    ) -> io::Result<bool> {
        let request = &asked.envelope;
        let Some(sampling) = &request.sampling else { return Ok(true) };
        let phase =
            |name| reply.phases.get(name).map_or(Duration::ZERO, |time| Duration::from_nanos(time.cold_ns));
        let answers: &[Answer] = &reply.answers;
        let cold = Cold { answers, prepare: phase("prepare"), solve: phase("solve") };
        if !cold.is_short(sampling) {
            return Ok(true);
        }
        let name = child::short_name(&request.strategy);
        let mut work = |_: BorrowedFd<'_>| {
            child::call(&name);
            child::serialise(&match asked.parse() {
                Ok(Request { question, .. }) => repeat(strategy, &question, sampling, &request.limits, &cold),
                Err(failure) => Repetitions { result: Err(failure) },
            })
        };
        let Watched::Ended(ended) = watch(&self.control, &request.limits, &mut work)? else {
            return Ok(false);
        };
        let said: Option<Repetitions> = serde_json::from_slice(&ended.report).ok();
        let as_report = said.as_ref().map(|said| Report {
            result: said.result.as_ref().map(|_| Vec::new()).map_err(Failure::clone),
            phases: Default::default(),
            counters: Default::default(),
        });
        let termination = termination(&ended, as_report.as_ref(), &request.limits);
        if is_told_to_end(&termination) && self.control.is_abandoned_soon() {
            return Ok(false);
        }
        match (termination, said) {
            (Termination::Answered, Some(Repetitions { result: Ok(warm) })) => {
                for (name, time) in warm {
                    if let Some(phase) = reply.phases.get_mut(&name) {
                        phase.warm = Some(time);
                    }
                }
            }
            (other, _) => {
                reply.termination = Termination::Error(format!("while being repeated: {}", describe(&other)));
                reply.stderr = ended.output;
            }
        }
        Ok(true)
    }
}

/// The report of a child that was asked nothing.
fn nothing_said() -> Report {
    Report { result: Ok(Vec::new()), phases: Default::default(), counters: Default::default() }
}

/// Why a child stopped. A limit that was exceeded comes first, whether it struck or is found in the accounts:
/// what came after it does not count.
fn termination(ended: &Ended, report: Option<&Report>, limits: &Limits) -> Termination {
    let usage = &ended.usage;
    let exceeds = |used: u64, limit: Duration| Duration::from_nanos(used) > limit;
    match ended.limit {
        Some(LimitHit::Wall) => return Termination::Timeout(TimeLimit::Wall),
        Some(LimitHit::Cpu) => return Termination::Timeout(TimeLimit::Cpu),
        Some(LimitHit::Memory) => return Termination::Memout,
        Some(LimitHit::Report) => return Termination::Error("its report is too long to be read".into()),
        None if ended.report.last() == Some(&alloc::REFUSED) => return Termination::Memout,
        None if exceeds(usage.cpu_ns, limits.cpu) => return Termination::Timeout(TimeLimit::Cpu),
        None if exceeds(usage.wall_ns, limits.wall) => return Termination::Timeout(TimeLimit::Wall),
        None if usage.peak_rss_bytes > limits.memory => return Termination::Memout,
        None => {}
    }
    match (ended.exit, report) {
        (Exit::Signal(signal), _) => Termination::Signal(signal),
        (Exit::Code(0), Some(report)) => match &report.result {
            Ok(_) => Termination::Answered,
            Err(Failure::Unsupported(what)) => Termination::Unsupported(what.clone()),
            Err(Failure::Error(what)) => Termination::Error(what.clone()),
            Err(Failure::Exit(code)) => Termination::Exit(*code),
            Err(Failure::Signal(signal)) => Termination::Signal(*signal),
        },
        (Exit::Code(code), _) => Termination::Exit(code),
    }
}

/// Whether it ended by a signal that people and batch systems end processes with, and not for a fault.
fn is_told_to_end(termination: &Termination) -> bool {
    const SIGNALS: [i32; 4] = [libc::SIGHUP, libc::SIGINT, libc::SIGKILL, libc::SIGTERM];
    matches!(termination, Termination::Signal(signal) if SIGNALS.contains(signal))
}

/// In words, for a message.
fn describe(termination: &Termination) -> String {
    match termination {
        Termination::Answered => "no report".into(),
        Termination::Timeout(TimeLimit::Wall) => "wall limit".into(),
        Termination::Timeout(TimeLimit::Cpu) => "cpu limit".into(),
        Termination::Memout => "memory limit".into(),
        Termination::Signal(signal) => format!("ended by signal {signal}"),
        Termination::Exit(code) => format!("ended with exit code {code}"),
        Termination::Error(what) => what.clone(),
        Termination::Unsupported(what) => format!("unsupported: {what}"),
    }
}

fn unknown_strategy(request: &Envelope) -> Reply {
    Reply {
        id: request.id,
        termination: Termination::Error(format!("the worker has no strategy '{}'", request.strategy)),
        answers: Vec::new(),
        usage: None,
        method: String::new(),
        phases: Default::default(),
        counters: Default::default(),
        stderr: String::new(),
    }
}

/// Writes a line but for its end, and gives its length. Nothing may stay in a buffer, for a forked child
/// would have a copy of it.
fn send<T: serde::Serialize>(value: &T) -> io::Result<usize> {
    let line = serde_json::to_vec(value)?;
    write(&line)?;
    Ok(line.len())
}

fn end_line() -> io::Result<()> {
    write(b"\n")
}

/// Past the buffer of the standard library, which would keep the beginning of a line.
fn write(mut bytes: &[u8]) -> io::Result<()> {
    let stdout = io::stdout();
    while !bytes.is_empty() {
        match rustix::io::write(&stdout, bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use harness_model::record::Usage;

    use super::*;

    const LIMITS: Limits =
        Limits { wall: Duration::from_nanos(100), cpu: Duration::from_nanos(100), memory: 100 };

    fn ended(exit: Exit) -> Ended {
        let usage = Usage { wall_ns: 10, cpu_ns: 10, peak_rss_bytes: 10 };
        Ended { limit: None, exit, usage, method: "", report: Vec::new(), output: String::new() }
    }

    fn answered() -> Report {
        Report { result: Ok(Vec::new()), phases: Default::default(), counters: Default::default() }
    }

    #[test]
    fn a_late_answer_is_a_timeout() {
        let mut late = ended(Exit::Code(0));
        assert_eq!(termination(&late, Some(&answered()), &LIMITS), Termination::Answered);
        late.usage.cpu_ns = 101;
        assert_eq!(termination(&late, Some(&answered()), &LIMITS), Termination::Timeout(TimeLimit::Cpu));
        late.usage.cpu_ns = 10;
        late.usage.wall_ns = 101;
        assert_eq!(termination(&late, Some(&answered()), &LIMITS), Termination::Timeout(TimeLimit::Wall));
    }

    #[test]
    fn a_peak_between_two_looks_is_a_memout() {
        let mut high = ended(Exit::Signal(6));
        high.usage.peak_rss_bytes = 101;
        assert_eq!(termination(&high, None, &LIMITS), Termination::Memout);
    }

    #[test]
    fn a_refused_allocation_is_a_memout() {
        let mut refused = ended(Exit::Code(alloc::REFUSED_EXIT));
        assert_eq!(termination(&refused, None, &LIMITS), Termination::Exit(alloc::REFUSED_EXIT));
        refused.report = vec![alloc::REFUSED];
        assert_eq!(termination(&refused, None, &LIMITS), Termination::Memout);
    }

    #[test]
    fn a_kill_is_reported_by_its_limit_and_not_by_the_signal() {
        let mut killed = ended(Exit::Signal(9));
        assert_eq!(termination(&killed, None, &LIMITS), Termination::Signal(9));
        killed.limit = Some(LimitHit::Cpu);
        assert_eq!(termination(&killed, None, &LIMITS), Termination::Timeout(TimeLimit::Cpu));
    }

    #[test]
    fn an_exit_without_a_report_is_no_answer() {
        assert_eq!(termination(&ended(Exit::Code(0)), None, &LIMITS), Termination::Exit(0));
        assert_eq!(termination(&ended(Exit::Code(3)), Some(&answered()), &LIMITS), Termination::Exit(3));
        let failed = |failure| Report { result: Err(failure), ..answered() };
        for (failure, expected) in
            [(Failure::Exit(0), Termination::Exit(0)), (Failure::Signal(11), Termination::Signal(11))]
        {
            assert_eq!(termination(&ended(Exit::Code(0)), Some(&failed(failure)), &LIMITS), expected);
        }
    }
}
