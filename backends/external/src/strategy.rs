//! A program as a strategy.
//!
//! Phases: `parse`, `lower`, `print` (the scripts), `program` (from start to end of the program), `read`.
//! Counters: `programs` (how often it was started), `script_bytes`, `output_bytes`, `program_errors`.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use backends_api::scratch::Scratch;
use backends_api::{BackendError, Budget, Ending, Op, Probe, Run, Stop, Strategy, StrategyInfo, Treatment};
use backends_input::{Expressions, script_of};
use harness_model::{Alphabet, Answer, Outcome, Question, QuestionKind, SmtString, Verdict, Witness};
use harness_theory::{Problem, SortError, Term, lower};

use crate::process::{self, Errors, RunError};
use crate::reply::{self, Reply};
use crate::script::{self, Dialect, Models};
use crate::{command, confine, expressions, old};

/// How long a program may take to print its version.
const VERSION_TIME: Duration = Duration::from_secs(10);

/// So many characters of a version are kept.
const VERSION_SHOWN: usize = 200;

/// How a program is given the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// As a file.
    File,
    /// On standard input.
    Input,
}

impl Given {
    /// Both; the first is the default.
    pub const ALL: [Self; 2] = [Self::File, Self::Input];

    /// The name in configurations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Input => "stdin",
        }
    }
}

/// A program, with all that a configuration says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct External {
    /// The canonical name.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The command that prints the version; empty: the program with `--version`.
    pub version: Vec<String>,
    /// How it is given the script.
    pub given: Given,
    /// In what the script is written.
    pub dialect: Dialect,
    /// The logic to be set; empty: the script's own.
    pub logic: String,
    /// How it is asked for a model.
    pub models: Models,
    /// Whether the script ends with `(exit)`.
    pub exit: bool,
}

impl External {
    fn program(&self) -> &str {
        self.command.first().map_or("", String::as_str)
    }

    /// Starts the command that prints the version.
    fn ask_for_version(&self) -> Result<String, String> {
        let usual = [self.program().to_owned(), "--version".to_owned()];
        let words = if self.version.is_empty() { usual.as_slice() } else { &self.version };
        let (program, arguments) = words.split_first().ok_or("there is no command")?;
        let path = command::find(program)?;
        let shown = words.join(" ");
        let way_out = "the option 'version' can name another command";
        let deadline = Instant::now().checked_add(VERSION_TIME);
        let ran =
            process::run(&path, arguments, None, Errors::Read, deadline, &mut |_| ()).map_err(|error| {
                match error {
                    RunError::Start(error) => cannot_start(program, &error),
                    RunError::Late => {
                        format!("'{shown}' printed no version within {} s: {way_out}", VERSION_TIME.as_secs())
                    }
                    RunError::TooMuch => format!("'{shown}' printed too much: {way_out}"),
                    RunError::System(error) => format!("'{shown}' cannot be run: {error}"),
                }
            })?;
        let text = String::from_utf8_lossy(&ran.output);
        let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let line: String = line.chars().filter(|c| !c.is_control()).take(VERSION_SHOWN).collect();
        match ran.ending {
            Ending::Exit(0) if !line.is_empty() => Ok(line),
            ending => {
                let said = if line.is_empty() { String::new() } else { format!(", after it said: {line}") };
                Err(format!("'{shown}', which should print the version, {ending}{said}: {way_out}"))
            }
        }
    }
}

fn cannot_start(program: &str, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => {
            format!(
                "the program '{program}', or the interpreter that its first line names, is not there: {error}"
            )
        }
        _ => format!("the program '{program}' cannot be started: {error}"),
    }
}

/// A term was made with arguments of sorts that it does not take.
#[expect(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn defect(error: SortError) -> BackendError {
    BackendError::Internal(error.to_string())
}

impl Strategy for External {
    fn info(&self) -> StrategyInfo {
        StrategyInfo {
            name: self.name.clone(),
            backend: "external",
            version: env!("CARGO_PKG_VERSION").to_owned(),
            summary: format!("the program '{}', on one script for each check-sat", self.program()),
            source: "none: a program of its own",
        }
    }

    fn found(&self) -> Result<String, String> {
        command::find(self.program())?;
        self.ask_for_version()
    }

    /// A program is given every operation, Java's written out; what it makes of it is not known here.
    fn operation(&self, _: Op) -> Option<Treatment> {
        None
    }

    fn prepare<'a>(
        &'a self,
        question: &'a Question,
        budget: &'a Budget,
        probe: &Probe,
    ) -> Result<Box<dyn Run + 'a>, BackendError> {
        let alphabet = question.alphabet;
        let (asked, words) = match &question.kind {
            QuestionKind::Script(_) | QuestionKind::System(_) => {
                let script = script_of(question, |_| false, probe)?;
                let named = script.logic.as_deref();
                let asked = script
                    .queries
                    .into_iter()
                    .map(|query| self.of_query(query.problem, named, alphabet, probe));
                (asked.collect::<Result<Vec<_>, _>>()?, false)
            }
            QuestionKind::Grammars(_) => return Err(backends_input::unsupported(question)),
            QuestionKind::Operations(operations) => {
                let read = Expressions::read(alphabet, operations, probe)?;
                let asked = read.operations().iter().map(|operation| {
                    let regexes = [operation.left, operation.right].map(|place| &read.regexes()[place]);
                    let problem =
                        probe.phase("lower", || expressions::problem(operation.kind, regexes, alphabet));
                    Ok(self.printed(problem.map_err(defect)?, 1, None, probe))
                });
                (asked.collect::<Result<Vec<_>, BackendError>>()?, true)
            }
        };
        let bounded = self.dialect == Dialect::Old && alphabet.max().0 > old::LAST;
        Ok(Box::new(Runs { external: self, asked, words, bounded, budget }))
    }
}

/// A script to be answered.
struct Asked {
    /// What it asks; its own variables only are looked for in a model.
    problem: Problem,
    /// Or what the program's dialect does not have.
    script: Result<String, String>,
}

impl External {
    /// What the program is given for a query of a script.
    fn of_query(
        &self,
        problem: Problem,
        named: Option<&str>,
        alphabet: Alphabet,
        probe: &Probe,
    ) -> Result<Asked, BackendError> {
        let own = problem.variables.clone();
        let lowered = probe.phase("lower", || {
            let lowered = if lower::has_other_than(&problem, |_| false) {
                lower::with_fresh_variables(&problem, alphabet, |_| false)
            } else {
                problem
            };
            confine::confine(lowered, &own, alphabet)
        });
        Ok(self.printed(lowered.map_err(defect)?, own.len(), named, probe))
    }

    fn printed(&self, problem: Problem, own: usize, named: Option<&str>, probe: &Probe) -> Asked {
        let logic = (self.logic.as_str(), named);
        let print = || script::text(&problem, own, logic, self.dialect, self.models, self.exit);
        let script = probe.phase("print", print);
        Asked { problem, script }
    }

    /// The answer with its model in the dialect of today.
    fn in_todays_words(&self, answer: Answer) -> Answer {
        let Some(model) = answer.witness.as_ref().and_then(Witness::model) else { return answer };
        if self.dialect == Dialect::Current {
            return answer;
        }
        match old::model(model) {
            Ok(model) => Answer { witness: Some(Witness::Model(model)), ..answer },
            Err(why) => {
                let reason = Some(format!("the program's model cannot be read: {why}"));
                Answer { reason, ..Answer::of(answer.verdict) }
            }
        }
    }
}

/// Scripts made ready to be given to a program.
struct Runs<'a> {
    external: &'a External,
    asked: Vec<Asked>,
    /// Whether the answers are about words of languages.
    words: bool,
    /// Whether the program has fewer characters than the alphabet, so that it refutes within a bound only.
    bounded: bool,
    budget: &'a Budget,
}

impl Run for Runs<'_> {
    fn run(&mut self, probe: &Probe) -> Result<Outcome, BackendError> {
        let place = Place::new(self.external)?;
        let mut answers: Vec<Answer> = Vec::with_capacity(self.asked.len());
        let (mut without, mut failed) = (0, None);
        for (number, asked) in self.asked.iter().enumerate() {
            let answer = match self.ask(&place, number, asked, probe) {
                Ok(answer) => answer,
                // Its answers to other queries stand. Without an answer to any query, the record fails.
                Err(
                    error
                    @ (BackendError::Program(_) | BackendError::Ended(_) | BackendError::Unsupported(_)),
                ) => {
                    let refused = matches!(error, BackendError::Unsupported(_));
                    if !refused {
                        probe.count("program_errors", 1);
                    }
                    let answer = Answer::unknown(error.to_string());
                    without += 1;
                    // A failure says more than a refusal.
                    if failed.is_none() || !refused {
                        failed = Some(error);
                    }
                    answer
                }
                Err(error) => return Err(error),
            };
            // A single failure is told by the end of the record.
            if self.asked.len() > 1 {
                probe.answered(number, &answer);
            }
            answers.push(answer);
        }
        match failed {
            Some(error) if without == answers.len() => Err(error),
            _ => Ok(Outcome { answers }),
        }
    }
}

impl Runs<'_> {
    fn ask(
        &self,
        place: &Place,
        number: usize,
        asked: &Asked,
        probe: &Probe,
    ) -> Result<Answer, BackendError> {
        let deadline = self.budget.remaining().and_then(|time| Instant::now().checked_add(time));
        let script = asked.script.as_ref().map_err(|why| BackendError::Unsupported(why.clone()))?;
        probe.count("programs", 1);
        probe.count("script_bytes", script.len() as u64);
        let mut early = reply::Early::default();
        let mut heard = |output: &[u8]| {
            if let Some(verdict) = early.hear(output) {
                let reason = Some("the program did not come to the end of its answer".to_owned());
                probe.answered(number, &Answer { reason, ..Answer::of(self.verdict(verdict)) });
            }
        };
        let ran = probe.phase("program", || place.run(script, self.budget, deadline, &mut heard))?;
        probe.count("output_bytes", ran.output.len() as u64);
        match probe.phase("read", || reply::read(&ran.output, self.external.models != Models::None)) {
            Reply::Answer(answer) => {
                let answer = self.external.in_todays_words(answer);
                let answer = self.within_bound(answer);
                Ok(if self.words { word(answer, asked) } else { answer })
            }
            Reply::Unsupported(what) => Err(BackendError::Unsupported(what)),
            // A program that crashes may have printed half of something.
            Reply::Failed(_) if matches!(ran.ending, Ending::Signal(_)) => {
                Err(BackendError::Ended(ran.ending))
            }
            // Messages that differ in nothing else should not differ in where the script was.
            Reply::Failed(why) => {
                let file = place.file.display().to_string();
                Err(BackendError::Program(why.replace(&file, "script.smt2")))
            }
            Reply::Nothing if ran.ending == Ending::Exit(0) => {
                Err(BackendError::Program("the program ended without an answer".to_owned()))
            }
            Reply::Nothing => Err(BackendError::Ended(ran.ending)),
        }
    }

    /// What a refutation by a program with too few characters says.
    fn within_bound(&self, answer: Answer) -> Answer {
        if !self.bounded || answer.verdict != Verdict::Unsat {
            return answer;
        }
        let verdict = if self.words { Verdict::Unknown } else { Verdict::UnsatWithinBound };
        let reason = format!("unsat over characters up to U+{:04X}, the last one of the dialect", old::LAST);
        Answer { reason: Some(reason), ..Answer::of(verdict) }
    }

    /// A verdict on a problem as one on what was asked.
    const fn verdict(&self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Unsat if self.bounded && self.words => Verdict::Unknown,
            Verdict::Unsat if self.bounded => Verdict::UnsatWithinBound,
            Verdict::Sat if self.words => Verdict::Nonempty,
            Verdict::Unsat if self.words => Verdict::Empty,
            Verdict::Sat
            | Verdict::Unsat
            | Verdict::UnsatWithinBound
            | Verdict::Unknown
            | Verdict::Empty
            | Verdict::Nonempty => verdict,
        }
    }
}

/// The answer about a language: the word is the value of the only variable.
fn word(answer: Answer, asked: &Asked) -> Answer {
    match answer.verdict {
        Verdict::Unsat => Answer::empty(),
        Verdict::Sat => {
            match answer.witness.as_ref().and_then(Witness::model).map(|model| value(model, asked)) {
                Some(Ok(word)) => Answer::word(word),
                Some(Err(why)) => Answer { reason: Some(why), ..Answer::of(Verdict::Nonempty) },
                None => Answer { verdict: Verdict::Nonempty, ..answer },
            }
        }
        Verdict::Unknown | Verdict::UnsatWithinBound | Verdict::Empty | Verdict::Nonempty => answer,
    }
}

/// The value of the only variable of a problem; with any character, so that one that the alphabet does not
/// have is found by the judge.
fn value(model: &str, asked: &Asked) -> Result<SmtString, String> {
    let unread = |why: String| format!("the program's model cannot be read: {why}");
    let read = harness_smtlib::model::read(model.as_bytes(), &asked.problem, Alphabet::Unicode);
    let model = read.map_err(|error| unread(error.to_string()))?.map_err(unread)?;
    match model.values.first().map(|&(_, value)| model.terms.get(value)) {
        Some(Term::String(word)) => Ok(word.clone()),
        Some(Term::Var(_) | Term::Bool(_) | Term::Int(_) | Term::App(..)) => {
            Err(unread("the value of 'word' is no literal".to_owned()))
        }
        None => Err(unread("it has no value of 'word'".to_owned())),
    }
}

/// A program that was found, and where its scripts are.
struct Place<'a> {
    external: &'a External,
    program: PathBuf,
    file: PathBuf,
    _scratch: Scratch,
}

impl<'a> Place<'a> {
    fn new(external: &'a External) -> Result<Self, BackendError> {
        let program = command::find(external.program()).map_err(BackendError::Unsupported)?;
        let scratch = Scratch::new().map_err(|error| no_file("a folder for scripts", &error))?;
        let file = scratch.path().join("script.smt2");
        Ok(Self { external, program, file, _scratch: scratch })
    }

    fn run(
        &self,
        script: &str,
        budget: &Budget,
        deadline: Option<Instant>,
        heard: &mut dyn FnMut(&[u8]),
    ) -> Result<process::Ran, BackendError> {
        fs::write(&self.file, script).map_err(|error| no_file("the script", &error))?;
        let mut words = self.external.command.get(1..).unwrap_or_default().to_vec();
        let input = match self.external.given {
            Given::File => {
                if !words.iter().any(|word| word.contains(command::FILE)) {
                    words.push(command::FILE.to_owned());
                }
                None
            }
            Given::Input => Some(File::open(&self.file).map_err(|error| no_file("the script", &error))?),
        };
        let arguments = command::arguments(&words, Some(Path::new(&self.file)), budget.enforced());
        process::run(&self.program, &arguments, input, Errors::Apart, deadline, heard).map_err(|error| {
            match error {
                RunError::Start(error) => {
                    BackendError::Unsupported(cannot_start(self.external.program(), &error))
                }
                RunError::Late => BackendError::Stopped(Stop::Time),
                RunError::TooMuch => {
                    let most = process::MOST_OUTPUT >> 20;
                    BackendError::Program(format!("the program printed more than {most} MiB"))
                }
                RunError::System(error) => {
                    BackendError::Program(format!("the program cannot be run: {error}"))
                }
            }
        })
    }
}

fn no_file(what: &str, error: &io::Error) -> BackendError {
    let folder = std::env::temp_dir();
    BackendError::Program(format!("{what} cannot be written below {}: {error}", folder.display()))
}
