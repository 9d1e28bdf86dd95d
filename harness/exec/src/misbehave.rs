//! Strategies that misbehave on purpose, for the tests of the runner and the judge: feature `misbehaving`.
//!
//! None of them reads the expressions. One that behaves, `test-honest`, answers `empty` to everything.

use std::hint::black_box;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};
use std::time::Duration;

use backends_api::{
    BackendError, Budget, Family, FamilySpec, Op, OptionSpec, Options, Probe, Run, Strategy, StrategyInfo,
    Treatment,
};
use harness_model::{Answer, Outcome, Question, QuestionKind, SmtString, Verdict, Witness};

/// What one of them does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Answer,
    LieEmpty,
    LieWord,
    Waver,
    Dawdle,
    Sleep,
    Spin,
    Orphan,
    Nest,
    Allocate,
    Ask,
    Abort,
    Panic,
    Exit,
    Print,
    Refuse,
}

/// Names, deeds, and what they do in a line.
const DEEDS: [(&str, Deed, &str); 16] = [
    ("test-honest", Deed::Answer, "answers empty to everything, at once"),
    (
        "test-lies",
        Deed::LieWord,
        "answers nonempty, with a word that is most likely in no language asked for",
    ),
    ("test-lies-empty", Deed::LieEmpty, "answers empty, whatever is true"),
    ("test-wavers", Deed::Waver, "answers empty the first time, and something else when repeated"),
    ("test-dawdles", Deed::Dawdle, "answers empty to all questions but the last, then sleeps for ever"),
    ("test-sleeps", Deed::Sleep, "sleeps for ever"),
    ("test-spins", Deed::Spin, "uses processor time for ever"),
    ("test-orphans", Deed::Orphan, "starts a process that outlives it in a session of its own, then answers"),
    ("test-nests", Deed::Nest, "starts such a process, then sleeps for ever"),
    ("test-allocates", Deed::Allocate, "takes and touches memory without end"),
    ("test-asks", Deed::Ask, "asks for a terabyte at once"),
    ("test-aborts", Deed::Abort, "aborts"),
    ("test-panics", Deed::Panic, "panics"),
    ("test-exits", Deed::Exit, "exits with code 3"),
    ("test-prints", Deed::Print, "writes garbage to standard output and standard error, then answers"),
    ("test-refuses", Deed::Refuse, "says that it does not support the operation"),
];

/// The family of them: what one of them does is its option.
pub struct MisbehavingFamily {
    spec: FamilySpec,
}

/// The deed in a name.
fn deed(name: &'static str) -> &'static str {
    name.strip_prefix("test-").unwrap_or(name)
}

impl MisbehavingFamily {
    /// The family.
    pub fn new() -> Self {
        let deeds = DEEDS.map(|(name, ..)| deed(name));
        let options = vec![OptionSpec::choice("deed", deeds, "what it does instead of answering")];
        let spec = FamilySpec::new("test", "strategies that misbehave, for tests", options);
        let preset = |spec: FamilySpec, name| spec.preset(name, &[("deed", deed(name))]);
        Self { spec: DEEDS.into_iter().fold(spec, |spec, (name, ..)| preset(spec, name)) }
    }
}

impl Default for MisbehavingFamily {
    fn default() -> Self {
        Self::new()
    }
}

impl Family for MisbehavingFamily {
    fn spec(&self) -> &FamilySpec {
        &self.spec
    }

    fn build(&self, options: &Options) -> Box<dyn Strategy> {
        let word = options.word("deed");
        let found = DEEDS.into_iter().find(|(name, ..)| deed(name) == word);
        let (name, deed, summary) = found.unwrap_or_else(|| unreachable!("{word} is a deed"));
        Box::new(Misbehaving { name, deed, summary })
    }
}

struct Misbehaving {
    name: &'static str,
    deed: Deed,
    summary: &'static str,
}

impl Strategy for Misbehaving {
    fn info(&self) -> StrategyInfo {
        StrategyInfo {
            name: self.name.to_owned(),
            backend: "test",
            version: env!("CARGO_PKG_VERSION").to_owned(),
            summary: self.summary.to_owned(),
            source: "for tests",
        }
    }

    /// It takes any question and does nothing with what is in it.
    fn operation(&self, _: Op) -> Option<Treatment> {
        None
    }

    fn prepare<'a>(
        &'a self,
        question: &'a Question,
        _: &'a Budget,
        probe: &Probe,
    ) -> Result<Box<dyn Run + 'a>, BackendError> {
        probe.phase("parse", || ());
        Ok(Box::new(Ready {
            deed: self.deed,
            lies: Lies::of(&question.kind),
            asked: question.asked(),
            runs: 0,
        }))
    }
}

/// A negative answer and a positive one with a witness, to a question of some kind, whatever is asked.
struct Lies {
    negative: Answer,
    positive: Answer,
}

impl Lies {
    fn of(kind: &QuestionKind) -> Self {
        let (negative, witness) = match kind {
            QuestionKind::Operations(_) | QuestionKind::Grammars(_) => {
                let word = SmtString::from("\u{1}\u{2}this is in no language\u{3}");
                (Verdict::Empty, Witness::Word(word))
            }
            // A model that leaves out everything: an assertion that is false of empty strings and zeros
            // refutes it.
            QuestionKind::Script(_) | QuestionKind::System(_) => {
                (Verdict::Unsat, Witness::Model("(\n)\n".to_owned()))
            }
        };
        Self { negative: Answer::of(negative), positive: Answer::proved(witness.proves(), witness) }
    }
}

struct Ready {
    deed: Deed,
    lies: Lies,
    asked: usize,
    runs: u32,
}

impl Run for Ready {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        self.runs += 1;
        probe.count("states", 1);
        let answer = match self.deed {
            Deed::Answer | Deed::LieEmpty => self.lies.negative.clone(),
            Deed::LieWord => self.lies.positive.clone(),
            // The accounted process runs it once; the process that repeats it, more often.
            Deed::Waver if repeated() => Answer::word(SmtString::from("a")),
            Deed::Waver => Answer::empty(),
            Deed::Dawdle => {
                for place in 1..self.asked {
                    probe.answered(place - 1, &Answer::empty());
                }
                probe.phase("deed", || sleep())
            }
            deed => probe.phase("deed", || misdo(deed))?,
        };
        Ok(Outcome { answers: vec![answer; self.asked] })
    }
}

/// True from the second call in a process on.
fn repeated() -> bool {
    use std::sync::atomic::{AtomicBool, Ordering};
    static CALLED: AtomicBool = AtomicBool::new(false);
    CALLED.swap(true, Ordering::Relaxed)
}

/// The deeds that most likely never come to an answer.
#[expect(clippy::panic, reason = "that is what it is for")]
fn misdo(deed: Deed) -> Result<Answer, BackendError> {
    match deed {
        Deed::Sleep => sleep(),
        Deed::Spin => {
            let mut turns = 0_u64;
            loop {
                turns = black_box(turns.wrapping_add(1));
            }
        }
        Deed::Orphan => orphan(),
        Deed::Nest => {
            orphan()?;
            sleep()
        }
        Deed::Allocate => {
            let mut held: Vec<Vec<u8>> = Vec::new();
            loop {
                held.push(black_box(vec![1; 1 << 20]));
            }
        }
        Deed::Ask => {
            let held: Vec<u8> = Vec::with_capacity(1 << 40);
            black_box(&held);
            Ok(Answer::empty())
        }
        Deed::Abort => std::process::abort(),
        Deed::Panic => panic!("on purpose"),
        Deed::Exit => std::process::exit(3),
        Deed::Print => print().map_err(|error| BackendError::Internal(error.to_string())),
        Deed::Refuse => Err(BackendError::Unsupported("everything".into())),
        Deed::Answer | Deed::LieEmpty | Deed::LieWord | Deed::Waver | Deed::Dawdle => Ok(Answer::empty()),
    }
}

fn sleep() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

/// A daemon: in a session of its own, without a living parent, deaf to what can be ignored.
fn orphan() -> Result<Answer, BackendError> {
    let script = "trap '' TERM INT HUP; setsid sleep 3600 & wait";
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = shell.spawn().map_err(|error| BackendError::Internal(error.to_string()))?;
    // Until the daemon runs, then its parent goes.
    std::thread::sleep(Duration::from_millis(100));
    let _ = child.kill();
    let _ = child.wait();
    Ok(Answer::empty())
}

/// What looks like a line of the protocol, and what is no text at all.
fn print() -> io::Result<Answer> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(b"{\"id\":0,\"termination\":\"answered\"}\n\xff\xfe\n{\"result\":{\"Ok\":[]}}\n")?;
    for _ in 0..20_000 {
        stdout.write_all(b"garbage\n")?;
    }
    stdout.flush()?;
    io::stderr().write_all(b"the last words")?;
    Ok(Answer::empty())
}
